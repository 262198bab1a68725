import { admins, adminsWith } from '#shared/rights.ts'

export const acts = {
  accessMaintenance: adminsWith('canAccessMaintenance'),
  exportPersonalData: adminsWith('canExportContacts'),
  anonymizeContact: adminsWith('canDeleteContacts'),
  viewPrivacyRequests: adminsWith(['canExportContacts', 'canDeleteContacts']),
}

export const screens = {
  '/maintenance': { title: 'Manutenção', place: 130, inMenuOf: admins, opensWith: 'accessMaintenance' },
} as const

export type Subject = 'backup' | 'run'

export type Action =
  | 'contact.personal_data'
  | 'contact.anonymize'
  | 'maintenance.backup'
  | 'maintenance.backup_end'
  | 'maintenance.delete'
  | 'maintenance.import'
  | 'maintenance.copy'
  | 'maintenance.attach'
  | 'maintenance.move'
  | 'maintenance.media_move'
  | 'maintenance.media_clean'
  | 'maintenance.download'
  | 'maintenance.preview'
  | 'maintenance.restore'
  | 'maintenance.restore_end'
  | 'maintenance.cleanup'
  | 'maintenance.cleanup_end'
  | 'maintenance.stop'
  | 'maintenance.plan'
  | 'maintenance.retention'
