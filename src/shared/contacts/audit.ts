import { fieldName } from '#shared/text/audit/field-texts.ts'
import {
  type Changes,
  type Nothing,
  listed,
  plural,
  textsIn,
  type Sentences,
} from '#shared/text/audit/telling.ts'

/** The nouns of its acts, as the audit log is filtered by them, and what each is about. */
export const groups = {
  contact: { name: 'Contatos', place: 70, about: 'contact' },
  category: { name: 'Categorias', place: 90, about: 'category' },
  company: { name: 'Empresas', place: 80, about: 'company' },
} as const

/**
 * What its acts are about, and what stands instead of the name of what is gone. Stored with every row, so a
 * key never changes.
 */
export const resources = {
  contact: { name: 'Contato', gone: 'um contato que não existe mais' },
  category: { name: 'Categoria', gone: 'uma categoria que não existe mais' },
  company: { name: 'Empresa', gone: 'uma empresa que não existe mais' },
} as const

/**
 * The details of each act: ids, codes, counts and values of no person. Without secrets, passwords, codes and
 * message texts.
 */
export interface Details {
  'contact.create': Nothing
  /** `fields`: all that were changed, also those without values here. `company`, `sector`: the names. */
  'contact.change': {
    fields: string[]
    changes: Changes<'company' | 'category' | 'sector'>
  }
  /** The ids of its identities, which it gets back if it is restored. */
  'contact.delete': { identityIds: number[] }
  'contact.restore': Nothing
  'contact.block': Nothing
  'contact.unblock': Nothing
  'contact.merge': { mergedId: number }
  'contact.part': { otherId: number }
  'contact.distinct': { otherId: number }
  /** Its number got the form that it would have if it were entered now; `identityId` is which of them. */
  'contact.mend_phone': { identityId: number | null }
  /** `undoneId`: the row of the log that tells of the mending. */
  'contact.unmend_phone': { undoneId: number }
  /** To somebody from whom numbers are hidden. */
  'contact.show_phone': Nothing
  /** `rows`: how many contacts, or rows of a file, left the product. */
  'contact.export': { filter: Record<string, string>; format: 'csv' | 'xlsx'; rows: number }
  'contact.export_errors': { importId: number; rows: number }
  /** `rows`: of the file. `known`: what is done with the contacts that exist. */
  'contact.import': { importId: number; rows: number; known: 'update' | 'skip' }
  'contact.import_stop': { importId: number; doneRows: number; rows: number }
  'contact.import_continue': { importId: number; doneRows: number; rows: number }
  /** What became of the rows. Which contacts they were stands with the import for 30 days. */
  'contact.import_end': { importId: number; created: number; updated: number; errors: number }
  'contact.import_undo': { importId: number }
  /** `companies`: those that went with it. */
  'contact.import_undone': { importId: number; deleted: number; restored: number; companies?: number }
  'category.create': { name: string }
  /** Its name after the change. */
  'category.change': {
    name: string
    changes: Changes<'name' | 'description' | 'priority' | 'color' | 'isActive'>
  }
  /** `contacts`: how many have no category now. */
  'category.delete': { name: string; contacts: number }
  'company.create': { name: string }
  /** Its name after the change. */
  'company.change': { name: string; changes: Changes<'name' | 'isActive'> }
  /** `contacts`: how many have no company now. */
  'company.delete': { name: string; contacts: number }
  /** `contacts`: how many were the other's. */
  'company.merge': { name: string; otherId: number; otherName: string; contacts: number }
  'company.distinct': { name: string; otherId: number }
  'company.mend_phone': { name: string }
  'company.unmend_phone': { name: string; undoneId: number }
}

/** The values that concern a person: they stand apart, and can be erased. */
export interface Personal {
  'contact.create': { name: string | null; phone: string }
  'contact.change': { changes: Changes<'name' | 'phone' | 'email' | 'tags'> }
  'contact.delete': { name: string; phone: string | null }
  'contact.restore': { name: string; phone: string | null }
  'contact.mend_phone': { changes: Changes<'phone'> }
  'contact.unmend_phone': { changes: Changes<'phone'> }
  'contact.import': { fileName: string }
  'company.change': { changes: Changes<'phone' | 'responsibleName'> }
  'company.mend_phone': { changes: Changes<'phone'> }
  'company.unmend_phone': { changes: Changes<'phone'> }
}

const contacts = (count: unknown) => plural(count, 'contato', 'contatos')

const lines = (count: unknown) => plural(count, 'linha', 'linhas')

/** What each act says, without its subject. */
export const sentences: Sentences<Details, Personal> = {
  'contact.create': ({ about }) => ['cadastrou o contato ', about],
  'contact.change': ({ details, about }) => [
    'mudou o contato ',
    about,
    `: ${listed(textsIn(details.fields).map((field) => fieldName(field).toLowerCase()))}`,
  ],
  'contact.delete': ({ about }) => ['excluiu o contato ', about],
  'contact.restore': ({ about }) => ['desfez a exclusão do contato ', about],
  'contact.block': ({ about }) => ['bloqueou o contato ', about],
  'contact.unblock': ({ about }) => ['desbloqueou o contato ', about],
  'contact.merge': ({ about }) => ['juntou dois cadastros do contato ', about],
  'contact.part': ({ about }) => ['desfez a junção de dois cadastros do contato ', about],
  'contact.mend_phone': ({ about }) => ['corrigiu o telefone do contato ', about],
  'contact.unmend_phone': ({ about }) => ['desfez a correção do telefone do contato ', about],
  'contact.distinct': ({ about }) => ['manteve separado de outro o contato ', about],
  'contact.show_phone': ({ about }) => ['mostrou o telefone do contato ', about],
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
    details.companies ? `; ${plural(details.companies, 'empresa', 'empresas')} a menos` : '',
  ],
  'category.create': ({ details, about }) => [
    'criou a categoria ',
    details.name === undefined ? about : { name: details.name },
  ],
  'category.change': ({ details, about }) => [
    'mudou a categoria ',
    details.name === undefined ? about : { name: details.name },
  ],
  'category.delete': ({ details, about }) => [
    'excluiu a categoria ',
    details.name === undefined ? about : { name: details.name },
    details.contacts ? `, que tinha ${plural(details.contacts, 'contato', 'contatos')}` : '',
  ],
  'company.create': ({ details, about }) => [
    'cadastrou a empresa ',
    details.name === undefined ? about : { name: details.name },
  ],
  'company.change': ({ details, about }) => [
    'mudou a empresa ',
    details.name === undefined ? about : { name: details.name },
  ],
  'company.delete': ({ details, about }) => [
    'excluiu a empresa ',
    details.name === undefined ? about : { name: details.name },
    details.contacts ? `, que tinha ${plural(details.contacts, 'contato', 'contatos')}` : '',
  ],
  'company.merge': ({ details, about }) => [
    'juntou a empresa ',
    { name: details.otherName ?? '' },
    ' em ',
    details.name === undefined ? about : { name: details.name },
  ],
  'company.mend_phone': ({ details, about }) => [
    'corrigiu o telefone da empresa ',
    details.name === undefined ? about : { name: details.name },
  ],
  'company.unmend_phone': ({ details, about }) => [
    'desfez a correção do telefone da empresa ',
    details.name === undefined ? about : { name: details.name },
  ],
  'company.distinct': ({ details, about }) => [
    'manteve separada de outra a empresa ',
    details.name === undefined ? about : { name: details.name },
  ],
}
