import { adminsWith, needs, roles, supervisorsWith } from '#shared/rights.ts'

export const acts = {
  viewContacts: needs('canViewContacts'),
  createContact: needs('canCreateContacts'),
  editContact: needs('canEditContacts'),
  deleteContact: needs('canDeleteContacts'),
  mergeContacts: adminsWith('canEditContacts'),
  blockContact: needs('canBlockContacts'),
  importContacts: needs('canImportContacts', 'canCreateContacts'),
  updateByImport: needs('canImportContacts', 'canCreateContacts', 'canEditContacts'),
  exportContacts: needs('canExportContacts', 'canViewContacts'),
  manageCategories: supervisorsWith('canManageCategories'),
  viewCompanies: needs(['canViewContacts', 'canViewConversations', 'canViewCompanies']),
  createCompany: needs('canCreateCompanies'),
  editCompany: needs('canEditCompanies'),
  deleteCompany: needs('canDeleteCompanies'),
  mergeCompanies: needs('canEditCompanies', 'canDeleteCompanies'),
}

export const screens = {
  '/contacts': { title: 'Contatos', place: 50, inMenuOf: roles, opensWith: 'viewContacts' },
  '/contacts/import': { title: 'Importar contatos', place: 60, inMenuOf: [], opensWith: 'importContacts' },
  '/companies': { title: 'Empresas', place: 70, inMenuOf: roles, opensWith: 'viewCompanies' },
} as const

export type Subject = 'contact' | 'company' | 'category' | 'merge' | 'import'

export type Action =
  | 'contact.create'
  | 'contact.change'
  | 'contact.delete'
  | 'contact.restore'
  | 'contact.block'
  | 'contact.unblock'
  | 'contact.merge'
  | 'contact.part'
  | 'contact.distinct'
  | 'contact.mend_phone'
  | 'contact.unmend_phone'
  | 'contact.show_phone'
  | 'contact.export'
  | 'contact.export_errors'
  | 'contact.import'
  | 'contact.import_stop'
  | 'contact.import_continue'
  | 'contact.import_end'
  | 'contact.import_undo'
  | 'contact.import_undone'
  | 'category.create'
  | 'category.change'
  | 'category.delete'
  | 'company.create'
  | 'company.change'
  | 'company.delete'
  | 'company.merge'
  | 'company.distinct'
  | 'company.mend_phone'
  | 'company.unmend_phone'
