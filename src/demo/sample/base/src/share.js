/** How much of the whole a part is, as `37%`. */
export function percent(part, whole) {
  return `${Math.round((part / whole) * 100)}%`;
}
