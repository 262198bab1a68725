import { settingName } from '#shared/text/audit/field-texts.ts'
import { type Changes, listed, plural, textsIn, type Sentences } from '#shared/text/audit/telling.ts'

/** The nouns of its acts, as the audit log is filtered by them, and what each is about. */
export const groups = {
  settings: { name: 'Configurações', place: 100, about: 'system_settings' },
} as const

/**
 * What its acts are about, and what stands instead of the name of what is gone. Stored with every row, so a
 * key never changes.
 */
export const resources = {
  system_settings: { name: 'Configurações', gone: 'configurações' },
} as const

/**
 * The details of each act: ids, codes, counts and values of no person. Without secrets, passwords, codes and
 * message texts.
 */
export interface Details {
  'settings.change': { version: number; names: string[]; changes: Changes }
}

const settingsChange: Sentences<Details>['settings.change'] = ({ details }) => {
  const names = textsIn(details.names).map((name) => settingName(name) ?? name)
  const [first = ''] = names
  return names.length < 2
    ? ['mudou a configuração ', { name: first }]
    : ['mudou ', { name: plural(names.length, 'configuração', 'configurações') }, `: ${listed(names)}`]
}

/** What each act says, without its subject. */
export const sentences: Sentences<Details> = {
  'settings.change': settingsChange,
}
