/** The digits of the address of a number's own phone, such as '5511987654321:12@s.whatsapp.net'. */
export const ownerPhone = (ownerJid: string | null | undefined): string | null =>
  ownerJid?.split(/[:@]/, 1)[0] || null
