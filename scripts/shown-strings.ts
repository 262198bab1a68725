import { parseSync } from 'vite'

/** Stands in a shown string for a value that is only known when the program runs. */
const someValue = '{}'

// A template with many branches has many readings; past this the rest would only cost time.
const mostReadings = 24

interface SyntaxNode {
  type: string
  [field: string]: unknown
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && typeof (value as SyntaxNode).type === 'string'

const tidy = (text: string): string => text.replace(/\s+/g, ' ').trim()

const combine = (heads: string[], tails: string[]): string[] =>
  heads.flatMap((head) => tails.map((tail) => head + tail)).slice(0, mostReadings)

const readingsOfAll = (nodes: SyntaxNode[]): string[] =>
  nodes.reduce<string[]>((sofar, node) => combine(sofar, readings(node)), [''])

function templateReadings(node: SyntaxNode): string[] {
  const expressions = node['expressions'] as SyntaxNode[]
  const quasis = node['quasis'] as { value: { cooked: string } }[]
  return quasis.reduce<string[]>(
    (sofar, quasi, index) =>
      combine(combine(sofar, [quasi.value.cooked]), expressions[index] ? readings(expressions[index]) : ['']),
    [''],
  )
}

/** Every text that an expression may come out as, with `{}` for what cannot be read from the source. */
function readings(node: SyntaxNode): string[] {
  switch (node.type) {
    case 'Literal':
      return [typeof node['value'] === 'string' ? node['value'] : someValue]
    case 'JSXText':
      return [String(node['value'])]
    case 'TemplateLiteral':
      return templateReadings(node)
    case 'ConditionalExpression':
      return [...readings(node['consequent'] as SyntaxNode), ...readings(node['alternate'] as SyntaxNode)]
    case 'BinaryExpression':
      return readingsOfAll([node['left'] as SyntaxNode, node['right'] as SyntaxNode])
    case 'JSXExpressionContainer':
    case 'ParenthesizedExpression':
      return readings(node['expression'] as SyntaxNode)
    case 'JSXEmptyExpression':
      return ['']
    case 'JSXElement':
    case 'JSXFragment':
      return readingsOfAll(node['children'] as SyntaxNode[])
    default:
      return [someValue]
  }
}

const worthReading = new Set([
  'Literal',
  'JSXText',
  'TemplateLiteral',
  'BinaryExpression',
  'JSXElement',
  'JSXFragment',
])

/** The words of a regular expression, without the signs that only a pattern needs. */
const patternWords = (source: string): string[] => [
  source,
  source.replace(/^\^|\$$/g, '').replace(/\\(?=[^\w\s])/g, ''),
]

/**
 * Lists the texts that a TypeScript file can show: its string literals, templates, sums of texts, JSX texts and the
 * texts of whole JSX elements, with `{}` for values and with single spaces. Comments are not among them. Regular
 * expressions are, since a test may look for a text by one.
 */
export function shownStrings(fileName: string, code: string): Set<string> {
  const { program, errors } = parseSync(fileName, code)
  if (errors.length > 0) throw new Error(`${fileName} cannot be read: ${errors[0]?.message ?? ''}`)
  const found = new Set<string>()
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit)
    if (!isNode(value)) return
    const pattern = (value['regex'] as { pattern: string } | undefined)?.pattern
    const texts = pattern ? patternWords(pattern) : worthReading.has(value.type) ? readings(value) : []
    for (const text of texts) found.add(tidy(text))
    for (const child of Object.values(value)) visit(child)
  }
  visit(program)
  for (const empty of ['', someValue]) found.delete(empty)
  return found
}
