import { isMasked } from '#shared/contacts/masked-phone.ts'
import type { Macro } from '#shared/macros/macros.ts'
import { fold } from '#shared/text/fold.ts'
import type { KnownReplies } from '#shared/quick-replies/quick-replies.ts'
import type { QuickResponseFile, SystemSettings } from '#shared/settings/settings.ts'
import {
  fillTemplate,
  nameIn,
  placeholdersIn,
  splitPlaceholders,
  type TemplateValues,
  withFirstName,
} from '#shared/text/template.ts'

/** A prepared text, file or voice. */
export interface QuickReply {
  /** As a send names it. */
  key: string
  /** Of one that is not general. */
  id?: number
  /** Whose it is: a sector's, or null: the person's alone; absent: general. */
  sectorId?: number | null
  /** How often it was sent. */
  uses: number
  /** Typed after the slash. */
  shortcut: string
  /** Label of its button above the composer; without one it is found by its shortcut only. */
  label?: string
  text: string
  /** Sent along, with the text as its caption. */
  file?: QuickResponseFile | undefined
}

const ofSettings = [
  { shortcut: 'saudacao', label: 'Saudação', key: 'greetingMessage' },
  { shortcut: 'verificar', label: 'Verificar', key: 'verificationMessage' },
  { shortcut: 'despedida', label: 'Despedida', key: 'farewellMessage' },
  { shortcut: 'lgpd', label: 'LGPD', key: 'lgpdMessage' },
] as const

/** The four texts of the settings and the company's own; empty ones are left out. */
export function generalReplies(
  settings: Partial<SystemSettings>,
  used: KnownReplies['general'] = [],
): QuickReply[] {
  const uses = new Map(used.map((one) => [one.shortcut, one.uses]))
  const four = ofSettings.map(({ shortcut, label, key }) => ({ shortcut, label, text: settings[key] ?? '' }))
  return [...four, ...(settings.quickResponses ?? [])]
    .filter(({ text, file }: Pick<QuickReply, 'text' | 'file'>) => text.trim() !== '' || file)
    .map((one) => ({ ...one, key: `/${one.shortcut}`, uses: uses.get(fold(one.shortcut)) ?? 0 }))
}

/**
 * What is offered in a chat: the person's own, those of the sectors, and the general ones. Of one shortcut
 * only the nearest: the own one, else those of the sectors.
 * @param sectorIds the conversation's sector; of one without, those of the person
 */
export function offeredReplies(
  general: readonly QuickReply[],
  known: KnownReplies['replies'],
  sectorIds: readonly number[],
): QuickReply[] {
  const mine = known.map((one) => ({ ...one, key: String(one.id) }))
  const groups: readonly (readonly QuickReply[])[] = [
    mine.filter(({ sectorId }) => sectorId === null),
    mine.filter(({ sectorId }) => sectorId !== null && sectorIds.includes(sectorId)),
    general,
  ]
  const nearer = new Set<string>()
  return groups.flatMap((group) => {
    const offered = group.filter(({ shortcut }) => !nearer.has(fold(shortcut)))
    for (const { shortcut } of offered) nearer.add(fold(shortcut))
    return offered
  })
}

/** What is typed after a slash at the beginning; undefined if the text is no shortcut. */
export function askedFor(text: string): string | undefined {
  return /^\/(\S*)$/.exec(text)?.[1]
}

/**
 * The reply with just that shortcut comes first, then those whose shortcut begins with the words, then those
 * that contain them, each with the most used ones first; accents do not matter.
 */
export function matchingReplies(all: readonly QuickReply[], asked: string): QuickReply[] {
  const words = fold(asked)
  const replies = all.toSorted((a, b) => b.uses - a.uses)
  const is = replies.filter(({ shortcut }) => fold(shortcut) === words)
  const begins = replies.filter(({ shortcut }) => fold(shortcut).startsWith(words))
  const holds = replies.filter(({ label = '', text, file }) =>
    fold(`${label} ${text} ${file?.fileName ?? ''}`).includes(words),
  )
  return [...new Set([...is, ...begins, ...holds])]
}

/** Offered behind a slash. */
export type Suggestion = { reply: QuickReply; macro?: never } | { macro: Macro; reply?: never }

/**
 * The replies and behind them the macros that were found, but first a reply, then a macro, with just the
 * shortcut that was typed: Enter means it, whatever else contains its letters.
 */
export function suggestionsOf(
  replies: readonly QuickReply[],
  macros: readonly Macro[],
  asked: string,
): Suggestion[] {
  const all: Suggestion[] = [...replies.map((reply) => ({ reply })), ...macros.map((macro) => ({ macro }))]
  const isExact = ({ reply, macro }: Suggestion) => fold((reply ?? macro).shortcut) === fold(asked)
  return [...all.filter(isExact), ...all.filter((one) => !isExact(one))]
}

/** The text of a reply in parts: what a client would read, and the placeholders that have no value here. */
export function previewOf(text: string, values: TemplateValues): { text: string; isMissing: boolean }[] {
  const given = givenOf(values)
  return splitPlaceholders(text).map((part) =>
    placeholdersIn(part).length > 0 && !(nameIn(part) in given)
      ? { text: part, isMissing: true }
      : { text: fillTemplate(part, given), isMissing: false },
  )
}

/** The values that show something. */
function givenOf(values: TemplateValues): TemplateValues {
  return Object.fromEntries(
    Object.entries(withFirstName(values)).filter(
      // No client is written to by a number that is hidden here.
      ([, value]) => value.trim() !== '' && !isMasked(value),
    ),
  )
}

/** A reply for this chat: the placeholders that have no value here stand in it, to be written over. */
export interface ResolvedReply {
  text: string
  /** With their braces, each once. */
  missing: string[]
  /** Where the first of them stands. */
  gap?: Range
  /** The reply that it is, as a send names it. */
  quickReply?: string
}
export type Range = readonly [from: number, to: number]

export function resolveReply(template: string, values: TemplateValues): ResolvedReply {
  const parts = previewOf(template, values)
  const text = parts.map((part) => part.text).join('')
  const first = parts.findIndex(({ isMissing }) => isMissing)
  const gap = parts[first]
  if (!gap) return { text, missing: [] }
  const from = parts.slice(0, first).reduce((length, part) => length + part.text.length, 0)
  const missing = parts.filter(({ isMissing }) => isMissing).map((part) => part.text)
  return { text, missing: [...new Set(missing)], gap: [from, from + gap.text.length] }
}
