/** The calendar day of an ISO time in the store, as `2026-03-31`. Store times are UTC. */
export function formatDay(iso) {
  const date = new Date(iso);
  const month = String(date.getMonth() + 1).padStart(2, '0');
  const day = String(date.getDate()).padStart(2, '0');
  return `${date.getFullYear()}-${month}-${day}`;
}
