import type { Check } from '#shared/doctor/doctor.ts'

export const checkTitles: Readonly<Record<Check, string>> = {
  clock: 'Relógio',
  database: 'Banco de dados',
  disk: 'Disco',
  files: 'Arquivos',
  permissions: 'Permissões da pasta',
  tls: 'HTTPS',
  gateway: 'Evolution API',
  instance: 'Instância',
  number: 'Número',
  webhook: 'Webhook',
  echo: 'Endereço visto do gateway',
  media: 'Mídia, ida e volta',
}
