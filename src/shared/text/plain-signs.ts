/**
 * A text without signs that show nothing, with every dash as '-' and every blank as ' ': WhatsApp Web,
 * address books and spreadsheets copy numbers with such signs.
 */
export const plainSigns = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/[\p{Pd}\u02d7\u2043\u2212]/gu, '-')
    .replace(/\s/g, ' ')
