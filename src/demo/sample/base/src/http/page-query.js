/** `page` and `perPage` of a request; both have defaults. */
export function readPageQuery(params) {
  const page = Number(params.get('page') ?? 1);
  const perPage = Number(params.get('perPage') ?? 5);
  if (page < 1) throw new RangeError(`page ${page}`);
  if (perPage < 1) throw new RangeError(`perPage ${perPage}`);
  return { page, perPage };
}
