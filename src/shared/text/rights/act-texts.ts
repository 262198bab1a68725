import type { Act, ScreenPath } from '#shared/acts.ts'

export interface ActText {
  act: Act
  /** The text of the control, or of the block that is shown. */
  label: string
  /** The control that contains it, where it is not the screen's own. */
  within?: string
  /**
   * Shown to everybody: whoever may not is refused by the server. @see decisions §2 'UI not gated by flags'
   */
  isAlwaysShown: boolean
}

const asked = (act: Act, label: string): ActText => ({ act, label, isAlwaysShown: false })
const askedIn = (within: string, act: Act, label: string): ActText => ({ ...asked(act, label), within })
const always = (act: Act, label: string): ActText => ({ act, label, isAlwaysShown: true })

/** What each screen shows and offers; without a screen: what the frame of all of them offers. */
export const actGroups: readonly { path?: ScreenPath; acts: readonly ActText[] }[] = [
  {
    acts: [
      asked('handOver', 'Passar meu turno'),
      askedIn('Passar meu turno', 'handOverToQueue', 'Para a fila'),
      askedIn('Passar meu turno', 'handOverToColleague', 'Para um colega'),
      asked('takeNext', 'Assumir próxima'),
      askedIn('Ir para…', 'viewConversations', 'Conversas abertas'),
      askedIn('Ir para…', 'viewContacts', 'Contatos'),
      asked('viewNotices', 'Avisos'),
    ],
  },
  {
    path: '/',
    acts: [
      asked('viewDashboard', 'Status da Fila'),
      asked('viewStatistics', 'Tempo Médio'),
      asked('viewStatistics', 'Operadores Online'),
      asked('viewConversations', 'Conversas Recentes'),
      asked('viewTeam', 'Equipe agora'),
      asked('viewReports', 'Na semana'),
      asked('viewWholeArchive', 'Finalizados hoje'),
    ],
  },
  {
    path: '/conversas-ativas',
    acts: [
      asked('takeNext', 'Assumir próxima'),
      asked('take', 'Assumir'),
      asked('transfer', 'Transferir'),
      asked('finalize', 'Finalizar'),
    ],
  },
  {
    path: '/chat',
    acts: [
      always('reply', 'Enviar'),
      always('attachFile', 'Anexar arquivo'),
      always('changeMessage', 'Outra reação'),
      always('changeMessage', 'Editar'),
      always('changeMessage', 'Apagar para todos'),
      always('changeMessage', 'Encaminhar'),
      always('openFiles', 'Mídia da conversa'),
      always('take', 'Assumir'),
      always('take', 'Devolver à fila'),
      always('transfer', 'Transferir'),
      always('finalize', 'Finalizar'),
      always('toggleAutoClose', 'Desativar Auto-Close'),
      always('prioritize', 'Prioridade'),
      asked('reply', 'Sugerir resposta'),
      asked('reply', 'Resumir'),
      asked('deleteConversation', 'Excluir'),
      asked('startConversation', 'Nova conversa'),
      always('editContact', 'Editar dados do contato'),
      always('createCompany', '+ Criar Nova Empresa'),
      asked('viewTracking', 'Registros de visualização e avisos da fila'),
    ],
  },
  {
    path: '/conversas-arquivadas',
    acts: [always('startConversation', 'Conversar de novo'), asked('deleteArchived', 'Excluir Conversa')],
  },
  {
    path: '/contacts',
    acts: [
      always('createContact', 'Novo Contato'),
      always('startConversation', 'Iniciar conversa'),
      always('editContact', 'Editar'),
      asked('mergeContacts', 'Repetidos'),
      always('blockContact', 'Bloquear'),
      always('deleteContact', 'Excluir'),
      askedIn('Mais ações', 'exportPersonalData', 'Exportar dados'),
      askedIn('Mais ações', 'anonymizeContact', 'Anonimizar'),
      asked('importContacts', 'Importar'),
      asked('exportContacts', 'Exportar'),
    ],
  },
  { path: '/contacts/import', acts: [asked('updateByImport', 'Atualizar')] },
  {
    path: '/companies',
    acts: [
      always('createCompany', 'Nova Empresa'),
      always('editCompany', 'Editar'),
      always('deleteCompany', 'Excluir'),
      asked('mergeCompanies', 'Comparar e juntar'),
    ],
  },
  { path: '/perfil', acts: [] },
  {
    path: '/users',
    acts: [
      always('createUser', 'Novo Usuário'),
      always('editUser', 'Editar'),
      always('editUser', 'Bloquear'),
      always('deleteUser', 'Excluir'),
    ],
  },
  { path: '/permissions', acts: [always('managePermissions', 'Configurar')] },
  {
    path: '/settings',
    acts: [
      asked('viewSettings', 'Mensagens automáticas'),
      asked('viewMediaSettings', 'Mídia'),
      asked('editSettings', 'Salvar Mensagens Automáticas'),
      asked('editSettings', 'Salvar Mensagem'),
      asked('manageGateway', 'Evolution API'),
    ],
  },
  {
    path: '/settings-advanced',
    acts: [
      asked('manageCategories', 'Categorias'),
      asked('viewPrivacyRequests', 'Pedidos de titulares'),
      asked('editSettings', 'Salvar'),
      asked('manageAssistant', 'IA'),
      asked('manageGateway', 'Evolution API'),
    ],
  },
  {
    path: '/maintenance',
    acts: [
      asked('accessMaintenance', 'Criar backup'),
      asked('accessMaintenance', 'Restaurar'),
      asked('accessMaintenance', 'Limpar tudo'),
    ],
  },
  {
    path: '/reports',
    acts: [asked('viewReports', 'Gerar Relatório'), asked('viewReports', 'CSV')],
  },
  { path: '/auditoria', acts: [asked('viewAudit', 'Exportar CSV')] },
]
