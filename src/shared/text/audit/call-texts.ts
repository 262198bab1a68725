/** What the calls under a path are about; the first that fits counts. */
const areas: readonly (readonly [path: string, name: string])[] = [
  ['/api/auth', 'Entrada'],
  ['/api/profile', 'Perfil'],
  ['/api/profile-pictures', 'Perfil'],
  ['/api/second-factor-duties', 'Verificação em duas etapas'],
  ['/api/notices', 'Avisos'],
  ['/api/server-time', 'Hora do servidor'],
  ['/api/conversations/archived', 'Conversas arquivadas'],
  ['/api/conversations', 'Conversas'],
  ['/api/drafts', 'Conversas'],
  ['/api/stats', 'Dashboard'],
  ['/api/reports', 'Relatórios'],
  ['/api/contacts/import', 'Importação de contatos'],
  ['/api/contacts/imports', 'Importação de contatos'],
  ['/api/contacts/export', 'Exportação de contatos'],
  ['/api/contacts', 'Contatos'],
  ['/api/privacy-requests', 'Pedidos de titulares'],
  ['/api/contact-categories', 'Categorias'],
  ['/api/companies', 'Empresas'],
  ['/api/user-permissions', 'Permissões'],
  ['/api/users', 'Usuários'],
  ['/api/system-settings', 'Configurações'],
  ['/api/media-settings', 'Configurações'],
  ['/api/quick-responses', 'Respostas rápidas'],
  ['/api/gpt-maker-config', 'Inteligência artificial'],
  ['/api/evolution-config', 'Conexão do WhatsApp'],
  ['/api/numbers', 'Números'],
  ['/api/doctor', 'Diagnóstico'],
  ['/api/first-steps', 'Primeiros passos'],
  ['/api/media', 'Arquivos das conversas'],
  ['/api/maintenance', 'Manutenção'],
  ['/api/audit-logs', 'Auditoria'],
  ['/api/webhook', 'Webhook'],
  ['/ws', 'Tempo real'],
]

const verbs: Readonly<Record<string, string>> = {
  GET: 'abrir',
  POST: 'agir em',
  PUT: 'mudar',
  PATCH: 'mudar',
  DELETE: 'excluir em',
}

/**
 * What somebody tried who may not make a call: 'abrir', 'Relatórios'.
 * @param call a row of the permission table, such as 'GET /api/reports/stats'
 */
export function attemptText(call: string): { verb: string; area: string } {
  const [, method = '', path = ''] = /^(\S+) (\S+)/.exec(call) ?? []
  const area = areas.find(([start]) => path === start || path.startsWith(`${start}/`))
  return { verb: verbs[method] ?? 'usar', area: area?.[1] ?? call }
}
