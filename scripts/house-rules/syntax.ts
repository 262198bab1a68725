/** The part of the syntax tree that the rules use. */
export interface Syntax {
  type: string
  name?: string
  value?: unknown
  key?: Syntax
  computed?: boolean
  callee?: Syntax
  object?: Syntax
  property?: Syntax
  arguments?: Syntax[]
  parent?: Syntax
  tag?: Syntax
  quasi?: { quasis: { value: { raw: string } }[] }
  /** Of an operator: '&&', '+', … */
  operator?: string
  left?: Syntax
  right?: Syntax
  consequent?: Syntax
  alternate?: Syntax
  expression?: Syntax
  expressions?: Syntax[]
  elements?: (Syntax | null)[]
  children?: Syntax[]
}

interface Place {
  line: number
  column: number
}

export interface RuleContext {
  sourceCode: { lines: readonly string[] }
  report(finding: { message: string } & ({ node: Syntax } | { loc: { start: Place; end: Place } })): void
}

export function literalName(node: Syntax | undefined): unknown {
  return node?.type === 'Identifier' ? node.name : node?.value
}
