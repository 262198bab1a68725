import { withFirstName } from '#shared/text/template.ts'

/** A text that was written to a client, with fields in the places of their name: it is for any client. */
export function withFields(text: string, contactName: string): string {
  const { firstName } = withFirstName({ contact: contactName })
  if (firstName === undefined) return text
  return text
    .replaceAll(contactName, '{{contact}}')
    .split(/(\p{L}+)/u)
    .map((word) => (word === firstName ? '{{firstName}}' : word))
    .join('')
}
