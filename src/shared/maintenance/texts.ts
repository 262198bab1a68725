import { asked } from '#shared/text/rights/controls.ts'

/** Why a request is refused: its HTTP status, and what is said. */
export const errors = {
  'maintenance.not_found': [404, 'Backup não encontrado'],
  'maintenance.busy': [409, 'Já há um trabalho de manutenção em andamento. Espere o fim, ou pare-o.'],
  'maintenance.not_completed': [409, 'Só um backup concluído pode ser baixado ou restaurado.'],
  'maintenance.in_progress': [409, 'O backup ainda está em andamento. Pare-o antes de apagar.'],
  'maintenance.nothing_chosen': [422, 'Marque ao menos uma opção para restaurar.'],
  'maintenance.unsigned': [
    422,
    'Este backup não tem a assinatura de BACKUP_KEY. Se confia nele, marque que o aceita sem assinatura.',
  ],
  'maintenance.bad_period': [422, 'A data final é anterior à inicial.'],
  'maintenance.over': [409, 'Este trabalho já terminou.'],
  'maintenance.failed': [500, 'Falha na limpeza'],
  'maintenance.gone': [410, 'Os arquivos deste backup não estão mais onde ele foi guardado.'],
  'maintenance.store_away': [503, 'O bucket dos backups não responde. Tente de novo mais tarde.'],
  'maintenance.plan_changed': [409, '{name} mudou o backup diário e os prazos enquanto você editava.'],
} as const

/** What its screens offer. */
export const controls = {
  '/maintenance': [
    asked('accessMaintenance', 'Criar backup'),
    asked('accessMaintenance', 'Restaurar'),
    asked('accessMaintenance', 'Limpar tudo'),
  ],
}

/** What its fields are called where the audit log shows a change. */
export const fields = {
  isBackupScheduled: 'Backup diário',
  backupTime: 'Horário do backup',
  backupsKept: 'Backups guardados',
  mediaDays: 'Prazo das mídias',
  textDays: 'Prazo dos textos',
  inboxDays: 'Prazo dos webhooks',
  auditDays: 'Prazo da auditoria',
}

/** What the calls under a path are about, for the sentence of a refused one. */
export const areas = {
  '/api/privacy-requests': 'Pedidos de titulares',
  '/api/maintenance': 'Manutenção',
}
