/** What a text of the settings may speak of. */
export const placeholders = ['position', 'contact', 'operator', 'company', 'protocol'] as const
export type TemplateValues = Partial<Record<(typeof placeholders)[number], string>>

const names = placeholders.join('|')
const known = new RegExp(`\\{\\{(${names})\\}\\}|\\{(position)\\}`, 'g')

/** Fills the known placeholders, each once and from left to right; everything else stays as it was typed. */
export function fillTemplate(template: string, values: TemplateValues): string {
  return template.replace(known, (whole, double?: string, single?: string) => {
    const value = values[(double ?? single) as keyof TemplateValues]
    return value ?? whole
  })
}

/** What stands in a text as a placeholder, known or not. @returns each once, with its braces */
export function placeholdersIn(text: string): string[] {
  return [...new Set(text.match(/\{\{\s*[\p{L}_]{1,40}\s*\}\}/gu))]
}

/**
 * Those that we would have filled: no client should read one. Other braces may be what somebody means to
 * write.
 */
export function forgottenIn(text: string): string[] {
  return placeholdersIn(text).filter((each) => fillTemplate(each, everyName) !== each)
}
const everyName: TemplateValues = Object.fromEntries(placeholders.map((name) => [name, '']))
