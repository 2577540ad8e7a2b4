// Cases known from practice name sizes that take longer than anybody waits for `npm test`. There they run smaller, and
// at the size that the case names with `npm run test:cases`.
const isFull = process.env['GATEHOUSE_CASES'] === 'full';

export function caseSize<Size>({ usual, full }: { readonly usual: Size; readonly full: Size }): Size {
  return isFull ? full : usual;
}
