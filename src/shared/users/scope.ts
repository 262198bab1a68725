// Of which conversations a person knows. What follows from it is decided by server/platform/http/reach.ts.

/** 'Próprias', 'Do setor', 'Todas'. */
export const scopes = ['own', 'sector', 'all'] as const
export type Scope = (typeof scopes)[number]

export const scopeLabels: Readonly<Record<Scope, string>> = {
  own: 'Próprias',
  sector: 'Do setor',
  all: 'Todas',
}
