/**
 * The page that the link of an invitation leads to. The token is behind the '#': browsers send it to no
 * server, so that no log and no proxy has it.
 */
const path = '/convite'
const removed = '•••'

export const invitationLink = (origin: string, token: string): string => `${origin}${path}#${token}`

/** Whether a text contains such a link, or what `withoutInvitationLinks` has left of one. */
export const hasInvitationLink = (text: string): boolean => /\/convite#(?:•••|[\w-]{43}(?![\w-]))/.test(text)

/** The text without the tokens of such links: whoever reads one can make an account with it. */
export const withoutInvitationLinks = (text: string): string =>
  text.replace(/(?<=\/convite#)[\w-]{43}(?![\w-])/g, removed)
