import { literalName, type RuleContext, type Syntax } from './syntax.ts'

/**
 * The handler of a call with several rows checks the permission itself: in `routeByRow(call, handler)`, a
 * handler that never uses `permit` or `isPermitted` would let everybody pass. `route` takes no such call.
 */
export const judgedCalls = {
  create: (context: RuleContext) => ({
    CallExpression(node: Syntax) {
      const [, handler] = node.arguments ?? []
      const name = node.callee?.name ?? node.callee?.property?.name
      if (name !== 'routeByRow' || !handler) return
      if (!usesName(handler, ['permit', 'isPermitted']))
        context.report({ node, message: 'A handler of several rows asks `permit` or `isPermitted` of one.' })
    },
  }),
}

/** Whether one of the names is used as a value in the tree; a destructuring pattern is no use. */
function usesName(node: unknown, names: string[]): boolean {
  if (Array.isArray(node)) return node.some((each) => usesName(each, names))
  if (typeof node !== 'object' || node === null || !('type' in node)) return false
  const { type } = node
  if (type === 'Identifier') return names.includes((node as { name?: string }).name ?? '')
  if (type === 'ObjectPattern') return false
  return Object.entries(node).some(([key, value]) => key !== 'parent' && usesName(value, names))
}

const unseenMessage =
  'A message is read by its id through messageFor and its like (store/access.ts), which ask who may see it.'

/** Functions that read a message by its id and ask nobody's rights. */
const blindReaders = new Set(['findMessageIn', 'listMessageRows', 'lockMessage', 'lockMessageAndEcho'])

/** Whether the condition is in the `where` of a select; a join follows a reference that is stored. */
function isOfSelect(condition: Syntax): boolean {
  for (let node = condition.parent; node; node = node.parent) {
    if (node.type !== 'CallExpression') continue
    const method = literalName(node.callee?.property)
    if (typeof method === 'string' && method.endsWith('Join')) return false
    for (let inner = node.callee?.object; inner; inner = (inner.callee ?? inner).object)
      if (literalName(inner.callee?.property) === 'select') return true
  }
  return false
}

/**
 * Some kinds of messages are for administrators only, so that whoever reads one by an id of a caller must ask
 * for the person's rights.
 */
export const messagesById = {
  create: (context: RuleContext) => ({
    CallExpression(node: Syntax) {
      const name = node.callee?.name ?? ''
      const [column] = node.arguments ?? []
      const isId =
        ['eq', 'inArray'].includes(name) &&
        column?.object?.name === 'messages' &&
        literalName(column.property) === 'id'
      if (blindReaders.has(name) || (isId && isOfSelect(node)))
        context.report({ node, message: unseenMessage })
    },
    TaggedTemplateExpression(node: Syntax) {
      const texts = node.quasi?.quasis.map(({ value }) => value.raw) ?? []
      if (literalName(node.tag) !== 'sql') return
      const aliases = [...texts.join('').matchAll(/\b(?:from|join) messages (?:as )?(\w+)/g)].map(
        ([, as]) => as,
      )
      const byId = new RegExp(String.raw`\b(${aliases.join('|')})\.id (=|in) ?(any)?\(?$`)
      if (aliases.length > 0 && texts.slice(0, -1).some((text) => byId.test(text)))
        context.report({ node, message: unseenMessage })
    },
  }),
}
