import { type Details, groups, type Personal, resources, sentences } from '#shared/rooms/audit.ts'
import type { Action } from '#shared/rooms/rights.ts'
import type { Nothing, Sentences } from '#shared/text/audit/telling.ts'

// What the rooms' `rights.ts` and `audit.ts` declare, put together. It compiles only if every action has its
// details and its sentence, and every noun its group.

/** An act that the audit log knows, as `noun.verb`. Stored with every row, so a name never changes. */
export type AuditAction = Action

/** The noun of an action, by which rows are filtered. */
export type AuditGroup = Action extends `${infer Noun}.${string}` ? Noun : never

export type DetailsOf<Of extends AuditAction> = Details[Of]
export type PersonalOf<Of extends AuditAction> = Of extends keyof Personal ? Personal[Of] : Nothing

/** What an act is about. Stored with every row, so a name never changes. */
export type AuditResource = keyof typeof resources
export const auditResources = Object.keys(resources) as AuditResource[]
export const resourceTexts: Readonly<Record<AuditResource, { name: string; gone: string }>> = resources

const rules: Readonly<Record<AuditGroup, { name: string; place: number; about: AuditResource }>> = groups

/** The groups in the order of the filter. */
export const auditGroups = (Object.keys(rules) as AuditGroup[]).toSorted(
  (a, b) => rules[a].place - rules[b].place,
)
export const groupName = (group: AuditGroup): string => rules[group].name

/** What an act is about: 'user' of 'auth.login'. */
export const resourceOf = (action: AuditAction): AuditResource =>
  rules[action.slice(0, action.indexOf('.')) as AuditGroup].about

/** What each act says, without its subject. */
export const auditSentences: { [Of in AuditAction]: Sentences<Details, Personal>[Of] } = sentences
export const isAuditAction = (action: string): action is AuditAction => Object.hasOwn(sentences, action)
