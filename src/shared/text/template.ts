/** The placeholders of the texts in the settings. */
export const placeholders = ['position', 'contact', 'operator', 'company', 'protocol'] as const
export type TemplateValues = Partial<Record<(typeof placeholders)[number], string>>

const names = placeholders.join('|')
const known = new RegExp(`\\{\\{(${names})\\}\\}|\\{(position)\\}`, 'g')

/**
 * Fills the known placeholders in one pass: values are not searched for placeholders. One without a value
 * becomes nothing, since no client should read braces. Other text is unchanged.
 */
export function fillTemplate(template: string, values: TemplateValues): string {
  return template.replace(known, (_whole, double?: string, single?: string) => {
    return values[(double ?? single) as keyof TemplateValues] ?? ''
  })
}

/** The placeholders in a text, known or not, each once and with its braces. */
export function placeholdersIn(text: string): string[] {
  return [...new Set(text.match(/\{\{\s*[\p{L}_]{1,40}\s*\}\}/gu))]
}

/** The known placeholders left in a text, which no client should read. Other braces may be intended. */
export function forgottenIn(text: string): string[] {
  return placeholdersIn(text).filter((each) => fillTemplate(each, everyName) !== each)
}
const everyName: TemplateValues = Object.fromEntries(placeholders.map((name) => [name, '']))
