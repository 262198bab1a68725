const signs = ['=', '+', '-', '@', '＝', '＋', '－', '＠']
const before = ['', ' ', '  ', '\u00a0', '\u200b', '\ufeff', '\n', '\t', '\r', '\u3000', '\u202e ']
const after = [
  '1+1',
  'SUM(A1:A9)',
  "cmd|'/C calc'!A0",
  'HYPERLINK("http://x.example";"a")',
  'WEBSERVICE("http://x.example")',
  '2;"3',
]

/** Cells that a spreadsheet would compute, and such that only look like it. */
export const formulaVectors: readonly string[] = [
  ...signs.flatMap((sign) => before.flatMap((blank) => after.map((rest) => `${blank}${sign}${rest}`))),
  '\ttab',
  '\rreturn',
]
