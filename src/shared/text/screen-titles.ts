import type { ScreenPath } from '#shared/acts.ts'

/** The screens as the side bar and their headings name them. */
export const screenTitles: Record<ScreenPath, string> = {
  '/': 'Dashboard',
  '/conversas-ativas': 'Conversas Ativas',
  '/chat': 'Chat',
  '/conversas-arquivadas': 'Arquivamento',
  '/contacts': 'Contatos',
  '/contacts/import': 'Importar contatos',
  '/companies': 'Empresas',
  '/perfil': 'Meu perfil',
  '/users': 'Usuários',
  '/permissions': 'Permissões',
  '/settings': 'Configurações',
  '/settings-advanced': 'Configurações Avançadas',
  '/maintenance': 'Manutenção',
  '/reports': 'Relatórios',
  '/auditoria': 'Auditoria',
}
