import { literalName, type RuleContext, type Syntax } from './syntax.ts'

const fewestWords = 5

const shortTitle =
  `The title of a test is a sentence of at least ${fewestWords} words that names its subject: ` +
  'it is read alone, in a report.'

/** `test`, `it`, and the tests that run only sometimes: `testAtNight`, `testInFull`, `deskTest`. */
const testFunction = /^(it|test|test(At|In)[A-Z]\w*|[a-z]+Test)$/

/** Modifiers that return the function that takes the title: `test.each(rows)('…', …)`. */
const withoutTitle = new Set<unknown>(['each', 'for', 'runIf', 'skipIf', 'extend'])

const modifiers = new Set([...withoutTitle, 'concurrent', 'sequential', 'fails', 'only', 'skip', 'todo'])

function isTest(callee: Syntax | undefined): boolean {
  switch (callee?.type) {
    case 'Identifier':
      return testFunction.test(callee.name ?? '')
    case 'MemberExpression':
      return modifiers.has(literalName(callee.property)) && isTest(callee.object)
    case 'CallExpression':
    case 'TaggedTemplateExpression':
      return isTest(callee.callee ?? callee.tag)
    default:
      return false
  }
}

/** @returns the text, with `$x` for each expression; undefined unless the node is a text or a sum of texts */
function textOf(node: Syntax | undefined): string | undefined {
  if (node?.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined
  if (node?.type === 'TemplateLiteral')
    return (node as Syntax & Pick<Required<Syntax>['quasi'], 'quasis'>).quasis
      .map(({ value }) => value.raw)
      .join('$x')
  if (node?.type === 'BinaryExpression' && node.operator === '+')
    return (textOf(node.left) ?? '$x') + (textOf(node.right) ?? '$x')
  return undefined
}

/** Placeholders of `test.each`, such as `%s` and `$name`, and expressions of a template. */
const placeholder = /%[sdifjo#$%]|\$[\w.]+/

function isSentence(title: string): boolean {
  const words = title.split(/\s+/).filter((word) => word !== '')
  return words.length >= fewestWords && words.some((word) => !placeholder.test(word))
}

/** Refuses titles that say nothing to someone who reads them without the test and its `describe`. */
export const sentenceTitles = {
  create: (context: RuleContext) => ({
    CallExpression(node: Syntax) {
      const { callee } = node
      if (!isTest(callee)) return
      if (callee?.type === 'MemberExpression' && withoutTitle.has(literalName(callee.property))) return
      const [title] = node.arguments ?? []
      if (title && !isSentence(textOf(title) ?? '')) context.report({ node: title, message: shortTitle })
    },
  }),
}
