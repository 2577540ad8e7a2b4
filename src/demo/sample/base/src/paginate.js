/** One page of a list; pages count from 1. */
export function paginate(items, page, perPage) {
  const pages = Math.max(1, Math.ceil(items.length / perPage));
  const start = page === 1 ? 0 : (page - 1) * perPage + 1;
  return { page, pages, total: items.length, items: items.slice(start, start + perPage) };
}
