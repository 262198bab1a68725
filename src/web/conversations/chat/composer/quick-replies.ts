import { isMasked } from '#shared/contacts/masked-phone.ts'
import { fold } from '#shared/text/fold.ts'
import type { QuickResponseFile, SystemSettings } from '#shared/settings/settings.ts'
import {
  fillTemplate,
  nameIn,
  placeholdersIn,
  type TemplateValues,
  withFirstName,
} from '#shared/text/template.ts'

/** A prepared text. */
export interface QuickReply {
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
export function quickRepliesOf(settings: Partial<SystemSettings>): QuickReply[] {
  const four: QuickReply[] = ofSettings.map(({ shortcut, label, key }) => ({
    shortcut,
    label,
    text: settings[key] ?? '',
  }))
  return [...four, ...(settings.quickResponses ?? [])].filter(({ text, file }) => text.trim() !== '' || file)
}

/** What is typed after a slash at the beginning; undefined if the text is no shortcut. */
export function askedFor(text: string): string | undefined {
  return /^\/(\S*)$/.exec(text)?.[1]
}

/**
 * Replies whose shortcut begins with the words come first, then those that contain them; accents do not
 * matter.
 */
export function matchingReplies(replies: readonly QuickReply[], asked: string): QuickReply[] {
  const words = fold(asked)
  const begins = replies.filter(({ shortcut }) => fold(shortcut).startsWith(words))
  const holds = replies.filter(({ label = '', text, file }) =>
    fold(`${label} ${text} ${file?.fileName ?? ''}`).includes(words),
  )
  return [...new Set([...begins, ...holds])]
}

/** The text of a reply in parts: what a client would read, and the placeholders that have no value here. */
export function previewOf(text: string, values: TemplateValues): { text: string; isMissing: boolean }[] {
  const given = givenOf(values)
  return text
    .split(/(\{\{\s*[\p{L}_]{1,40}\s*\}\})/u)
    .filter((part) => part !== '')
    .map((part) =>
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
