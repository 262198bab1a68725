/** The placeholders of the texts in the settings. */
export const placeholders = [
  'position',
  'contact',
  'firstName',
  'operator',
  'company',
  'protocol',
  'sector',
  'opcoes',
] as const
export type Placeholder = (typeof placeholders)[number]
/** The first name is part of the contact's. */
export type TemplateValues = Partial<Record<Exclude<Placeholder, 'firstName'>, string>>

const names = placeholders.join('|')
const known = new RegExp(`\\{\\{\\s*(${names})\\s*\\}\\}|\\{\\s*(position)\\s*\\}`, 'g')

/**
 * Fills the known placeholders in one pass: values are not searched for placeholders. One without a value
 * becomes nothing, since no client should read braces. Other text is unchanged.
 */
export function fillTemplate(template: string, values: TemplateValues): string {
  const all = withFirstName(values)
  return template.replace(known, (_whole, double?: string, single?: string) => {
    return all[(double ?? single) as Placeholder] ?? ''
  })
}

/**
 * Adds the first word of the contact's name with a letter in it. A contact known by number alone has no first
 * name.
 */
export function withFirstName(values: TemplateValues): Partial<Record<Placeholder, string>> {
  const firstName = values.contact?.split(/\s+/).find((word) => /\p{L}/u.test(word))
  return firstName === undefined ? values : { ...values, firstName }
}

const anyName = /\{\{\s*[\p{L}_]{1,40}\s*\}\}/gu

/** The placeholders in a text, known or not, each once and with its braces. */
export function placeholdersIn(text: string): string[] {
  return [...new Set(text.match(anyName))]
}

/** A text in parts: placeholders with their braces, known or not, and what stands around them. */
export function splitPlaceholders(text: string): string[] {
  const between = text.split(anyName)
  const found = text.match(anyName) ?? []
  return between.flatMap((part, at) => [part, ...found.slice(at, at + 1)]).filter((part) => part !== '')
}

/**
 * Puts values in the places of placeholders, known or not, in one pass: values are not searched for them.
 * @param valueOf of a placeholder with its braces; undefined: it stays
 */
export const replacePlaceholders = (text: string, valueOf: (each: string) => string | undefined): string =>
  text.replace(anyName, (each) => valueOf(each) ?? each)

/** The name in a placeholder with its braces. */
export const nameIn = (placeholder: string): string => placeholder.slice(2, -2).trim()

/** The known placeholders left in a text, which no client should read. Other braces may be intended. */
export function forgottenIn(text: string): string[] {
  return placeholdersIn(text).filter((each) => fillTemplate(each, everyName) !== each)
}
const everyName: TemplateValues = Object.fromEntries(placeholders.map((name) => [name, '']))
