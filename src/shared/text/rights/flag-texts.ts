import type { Flag } from '#shared/permissions.ts'
import { flagTexts } from '#shared/rooms/texts.ts'
import type { Scope } from '#shared/users/scope.ts'

interface FlagText {
  flag: Flag
  label: string
  /** What the flag lets a person do, in one line. */
  purpose: string
}

const of = (flag: Flag, label: string, purpose: string): FlagText => ({ flag, label, purpose })

/** The flags of a permission record, in the groups and the order of the specification. */
const givenGroups: readonly { title: string; flags: readonly FlagText[] }[] = [
  {
    title: 'Dashboard',
    flags: [
      of('canViewDashboard', 'Ver dashboard', 'Abrir a visão geral'),
      of('canViewStatistics', 'Ver estatísticas', 'Médias, totais e a equipe agora'),
    ],
  },
  {
    title: 'Conversas',
    flags: [
      of('canViewConversations', 'Ver conversas', 'A fila e os atendimentos abertos de todos'),
      of('canCreateConversations', 'Criar conversas', 'Começar uma conversa com um contato'),
      of('canEditConversations', 'Editar conversas', 'Assumir, responder, mudar prioridade e notas'),
      of('canDeleteConversations', 'Excluir conversas', 'Apagar uma conversa para sempre'),
      of('canFinalizeConversations', 'Finalizar conversas', 'Encerrar um atendimento'),
      of('canTransferConversations', 'Transferir conversas', 'Passar um atendimento a um colega'),
      of('canViewArchivedConversations', 'Ver arquivadas', 'As conversas finalizadas de todos'),
      of('canViewTrackingMessages', 'Ver rastreamento', 'Quem abriu a conversa, e os avisos da fila'),
    ],
  },
  {
    title: 'Contatos',
    flags: [
      of('canViewContacts', 'Ver contatos', 'A lista e os dados dos contatos'),
      of('canCreateContacts', 'Criar contatos', 'Cadastrar um contato'),
      of('canEditContacts', 'Editar contatos', 'Mudar nome, telefone, empresa, etiquetas e notas'),
      of('canDeleteContacts', 'Excluir contatos', 'Apagar um contato'),
      of('canBlockContacts', 'Bloquear contatos', 'Não receber mais o que um contato escreve'),
      of('canImportContacts', 'Importar contatos', 'Trazer contatos de uma planilha'),
      of('canExportContacts', 'Exportar contatos', 'Baixar contatos em planilha'),
    ],
  },
  {
    title: 'Empresas',
    flags: [
      of('canViewCompanies', 'Ver empresas', 'Telefone, responsável e contatos das empresas'),
      of('canCreateCompanies', 'Criar empresas', 'Cadastrar uma empresa'),
      of('canEditCompanies', 'Editar empresas', 'Mudar os dados de uma empresa'),
      of('canDeleteCompanies', 'Excluir empresas', 'Apagar uma empresa'),
    ],
  },
  {
    title: 'Usuários',
    flags: [
      of('canViewUsers', 'Ver usuários', 'A lista de quem entra no sistema'),
      of('canCreateUsers', 'Criar usuários', 'Dar acesso a uma pessoa'),
      of('canEditUsers', 'Editar usuários', 'Mudar dados, senha e perfil; bloquear'),
      of('canDeleteUsers', 'Excluir usuários', 'Tirar o acesso de uma pessoa'),
      of('canManagePermissions', 'Gerenciar permissões', 'Decidir quem pode o quê'),
    ],
  },
  {
    title: 'Sistema',
    flags: [
      of('canViewSettings', 'Ver configurações', 'Horários, textos e regras da equipe'),
      of('canEditSettings', 'Editar configurações', 'Mudar horários, textos e regras'),
      of('canManageEvolutionApi', 'Gerenciar Evolution API', 'A conexão com o WhatsApp'),
      of('canViewAuditLogs', 'Ver registros de auditoria', 'Quem fez o quê, e quando'),
      of(
        'canManageCategories',
        'Gerenciar categorias',
        'As categorias dos contatos e os motivos de finalização',
      ),
      of('canAccessMaintenance', 'Acessar manutenção', 'Backups, restauração e limpeza'),
    ],
  },
  {
    title: 'Mídia',
    flags: [
      of('canUploadMedia', 'Enviar mídia', 'Mandar fotos, áudios e documentos'),
      of('canDownloadMedia', 'Baixar mídia', 'Abrir e salvar os arquivos das conversas'),
    ],
  },
]

/** What rooms say of their flags: in which group they stand, behind the given ones or in one of their own. */
const ofRooms: Readonly<Record<string, { group: string; label: string; purpose: string }>> = flagTexts

const titles = new Set([
  ...givenGroups.map(({ title }) => title),
  ...Object.values(ofRooms).map(({ group }) => group),
])

/** The flags of a permission record as they are shown, in groups. */
export const flagGroups = [...titles].map((title) => ({
  title,
  flags: [
    ...givenGroups.filter((group) => group.title === title).flatMap((group) => group.flags),
    ...Object.entries(ofRooms)
      .filter(([, { group }]) => group === title)
      .map(([flag, { label, purpose }]) => of(flag as Flag, label, purpose)),
  ],
}))

/** What flags let a person do who does not know of every conversation. */
const purposesIn: Readonly<Record<Exclude<Scope, 'all'>, Partial<Record<Flag, string>>>> = {
  own: {
    canViewConversations: 'As próprias abertas, e quem espera nas filas dos seus setores',
    canViewArchivedConversations: 'As finalizadas que já teve ou em que escreveu',
  },
  sector: {
    canViewConversations: 'As abertas dos seus setores, e as próprias',
    canViewArchivedConversations: 'As finalizadas dos seus setores, e as próprias',
  },
}

/** What a flag lets a person do with this scope, in one line. */
export const purposeIn = (scope: Scope, { flag, purpose }: FlagText): string =>
  (scope === 'all' ? undefined : purposesIn[scope][flag]) ?? purpose
