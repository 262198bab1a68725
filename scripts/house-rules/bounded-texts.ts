import { literalName, type RuleContext, type Syntax } from './syntax.ts'

const unboundedText =
  'A client may have written 131,072 characters: <RichText text={…} /> folds them, cut(…) shortens a label.'

/** What clients write at any length, by its usual names. */
const written = new Set(['content', 'fileName', 'address', 'organization', 'email', 'option'])
/** Attributes and fields that are read out or shown on one line. */
const labels = new Set(['aria-label', 'aria-description', 'alt', 'title', 'label', 'placeholder'])

/** The parts of an expression that become text and are not shortened. Templates are visited on their own. */
function unboundedIn(node: Syntax | null | undefined): Syntax[] {
  switch (node?.type) {
    case 'Identifier':
      return written.has(node.name ?? '') ? [node] : []
    case 'MemberExpression':
      return !node.computed && written.has(node.property?.name ?? '') ? [node] : []
    case 'ConditionalExpression':
      return [node.consequent, node.alternate].flatMap(unboundedIn)
    case 'LogicalExpression':
      return (node.operator === '&&' ? [node.right] : [node.left, node.right]).flatMap(unboundedIn)
    case 'BinaryExpression':
      return node.operator === '+' ? [node.left, node.right].flatMap(unboundedIn) : []
    case 'ChainExpression':
    case 'TSNonNullExpression':
    case 'TSAsExpression':
      return unboundedIn(node.expression)
    case 'ArrayExpression':
      return (node.elements ?? []).flatMap(unboundedIn)
    case 'CallExpression':
      // What a method makes of a text is still a text.
      return node.callee?.property?.name === 'slice' ? [] : unboundedIn(node.callee?.object)
    default:
      return []
  }
}

export const boundedTexts = {
  create: (context: RuleContext) => {
    const check = (nodes: readonly (Syntax | null | undefined)[]) => {
      for (const node of nodes.flatMap(unboundedIn)) context.report({ node, message: unboundedText })
    }
    const checkChildren = ({ children = [] }: Syntax) => check(children.map(({ expression }) => expression))
    return {
      JSXElement: checkChildren,
      JSXFragment: checkChildren,
      JSXAttribute(node: Syntax & { name?: Syntax }) {
        if (labels.has(node.name?.name ?? '')) check([(node.value as Syntax | null)?.expression])
      },
      Property(node: Syntax) {
        if (labels.has(String(literalName(node.key)))) check([node.value as Syntax])
      },
      TemplateLiteral: (node: Syntax) => check(node.expressions ?? []),
    }
  },
}
