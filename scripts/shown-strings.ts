import { parseSync } from 'vite'

/** Replaces a value that is only known at run time. */
const someValue = '{}'

// A template with many conditions can result in very many texts.
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

/** The texts that an expression can result in, with `{}` for parts that are not in the source. */
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
      // Only a sum joins texts; a difference or a rest is a number.
      if (node['operator'] !== '+') return [someValue]
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

/** A regular expression as written, and as text without its anchors and escapes. */
const patternWords = (source: string): string[] => [
  source,
  source.replace(/^\^|\$$/g, '').replace(/\\(?=[^\w\s])/g, ''),
]

/**
 * Lists the texts that a TypeScript file can show: string literals, templates, concatenations, JSX texts and
 * the texts of whole JSX elements, with `{}` for values and with single spaces. Regular expressions are
 * included, since tests find texts by them; comments are not.
 * @throws Error if the file cannot be parsed
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
