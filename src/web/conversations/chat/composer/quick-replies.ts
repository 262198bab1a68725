import { fold } from '#shared/fold.ts'
import type { QuickResponseFile, SystemSettings } from '#shared/settings.ts'
import { fillTemplate, placeholdersIn, type TemplateValues } from '#shared/template.ts'

/** A text that is written often. */
export interface QuickReply {
  /** Typed behind the slash. */
  shortcut: string
  /** On a button of its own above the composer; absent: only by its shortcut. */
  label?: string
  text: string
  /** Goes along, with the text as its caption. */
  file?: QuickResponseFile | undefined
}

const ofSettings = [
  { shortcut: 'saudacao', label: 'Saudação', key: 'greetingMessage' },
  { shortcut: 'verificar', label: 'Verificar', key: 'verificationMessage' },
  { shortcut: 'despedida', label: 'Despedida', key: 'farewellMessage' },
  { shortcut: 'lgpd', label: 'LGPD', key: 'lgpdMessage' },
] as const

/** The four that everybody knows, and those of this company; what nobody has written is not offered. */
export function quickRepliesOf(settings: Partial<SystemSettings>): QuickReply[] {
  const four: QuickReply[] = ofSettings.map(({ shortcut, label, key }) => ({
    shortcut,
    label,
    text: settings[key] ?? '',
  }))
  return [...four, ...(settings.quickResponses ?? [])].filter(({ text, file }) => text.trim() !== '' || file)
}

/** What is being asked for by a text that begins with a slash; undefined when it asks for none. */
export function askedFor(text: string): string | undefined {
  return /^\/(\S*)$/.exec(text)?.[1]
}

/** Those whose shortcut begins so come first, then those that hold the words anywhere; without regard to accents. */
export function matchingReplies(replies: readonly QuickReply[], asked: string): QuickReply[] {
  const words = fold(asked)
  const begins = replies.filter(({ shortcut }) => fold(shortcut).startsWith(words))
  const holds = replies.filter(({ label = '', text, file }) =>
    fold(`${label} ${text} ${file?.fileName ?? ''}`).includes(words),
  )
  return [...new Set([...begins, ...holds])]
}

/** @returns the text for this chat, or the placeholders for which there is nothing here */
export function resolveReply(text: string, values: TemplateValues): { text: string } | { missing: string[] } {
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ''))
  const filled = fillTemplate(text, given)
  // What a client is called is his: braces in a name are no placeholder.
  const missing = placeholdersIn(
    fillTemplate(text, Object.fromEntries(Object.keys(given).map((key) => [key, '']))),
  )
  return missing.length > 0 ? { missing } : { text: filled }
}
