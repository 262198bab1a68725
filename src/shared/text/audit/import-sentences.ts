import type { AuditAction } from '#shared/audit/audit-actions.ts'
import { plural, type SentenceOf } from './telling.ts'

type ImportAction = Extract<AuditAction, `contact.${'export' | 'import'}${string}`>

const contacts = (count: unknown) => plural(count, 'contato', 'contatos')
const lines = (count: unknown) => plural(count, 'linha', 'linhas')

/** What the import and the export of contacts say. */
export const importSentences: { [Action in ImportAction]: SentenceOf<Action> } = {
  'contact.export': ({ details }) => ['exportou ', { name: contacts(details.rows) }],
  'contact.export_errors': ({ details }) => [
    'baixou ',
    { name: lines(details.rows) },
    ' com erro de uma importação de contatos',
  ],
  'contact.import': ({ details, personal }) => [
    'começou a importar ',
    { name: lines(details.rows) },
    ' de contatos',
    typeof personal.fileName === 'string' ? ` do arquivo ${personal.fileName}` : '',
  ],
  'contact.import_stop': ({ details }) => [
    'parou uma importação de contatos, com ',
    { name: lines(details.doneRows) },
    ' gravadas',
  ],
  'contact.import_continue': ({ details }) => [
    'continuou uma importação de contatos, depois de ',
    { name: lines(details.doneRows) },
  ],
  'contact.import_end': ({ details }) => [
    'importou ',
    { name: plural(details.created, 'contato novo', 'contatos novos') },
    ` e atualizou ${contacts(details.updated)}`,
    details.errors ? `; ${lines(details.errors)} com erro` : '',
  ],
  'contact.import_undo': () => ['começou a desfazer uma importação de contatos'],
  'contact.import_undone': ({ details }) => [
    'desfez uma importação: ',
    { name: contacts(details.deleted) },
    ` a menos e ${contacts(details.restored)} como antes`,
  ],
}
