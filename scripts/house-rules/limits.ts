import { literalName, type RuleContext, type Syntax } from './syntax.ts'

const ownPlace = 'Files may be in the folder or in the bucket, or just moving: only the file store knows.'
const placeNames = new Set(['uploadsFolder', 'openPlaces', 'createFolder', 'createBucket'])

export const filesByStore = {
  create: (context: RuleContext) => ({
    Literal(node: Syntax) {
      if (typeof node.value === 'string' && /^\/?uploads(?:\/|$)/.test(node.value))
        context.report({ node, message: ownPlace })
    },
    ImportSpecifier(node: Syntax & { imported?: Syntax }) {
      if (placeNames.has(node.imported?.name ?? '')) context.report({ node, message: ownPlace })
    },
  }),
}

const ownBodyLimit =
  'How bodies are read is decided in a few files: a call takes the limits of `route` in platform/http.'
const formReaders = new Set<unknown>(['file', 'files', 'parts', 'saveRequestFiles'])

/** Parsers and limits of bodies of their own, and forms that are read without limits. */
export const limitedBodies = {
  create: (context: RuleContext) => ({
    Property(node: Syntax) {
      if (literalName(node.key) === 'bodyLimit') context.report({ node, message: ownBodyLimit })
    },
    CallExpression(node: Syntax) {
      const name = literalName(node.callee?.property)
      if (name === 'addContentTypeParser') context.report({ node, message: ownBodyLimit })
      if (!formReaders.has(name) || !/^req(uest)?$/.test(node.callee?.object?.name ?? '')) return
      const [options] = node.arguments ?? []
      const properties = (options as { properties?: Syntax[] } | undefined)?.properties ?? []
      if (!properties.some(({ key }) => literalName(key) === 'limits'))
        context.report({ node, message: 'A form is read with limits: `request.file({ limits })`.' })
    },
  }),
}
