/** Columns padded to the widest cell; numbers are the caller's business. */
export function renderTable(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows
    .map((row) => row.map((cell, column) => cell + ' '.repeat(widths[column] - cell.length)).join('  ').trimEnd())
    .join('\n');
}
