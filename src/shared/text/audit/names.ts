import type { AuditGroup, AuditResource } from '#shared/audit/audit-actions.ts'

export const groupNames: Readonly<Record<AuditGroup, string>> = {
  auth: 'Entradas e saídas',
  access: 'Acessos negados',
  user: 'Usuários',
  permissions: 'Permissões',
  conversation: 'Conversas',
  message: 'Mensagens',
  contact: 'Contatos',
  company: 'Empresas',
  category: 'Categorias',
  settings: 'Configurações',
  gateway: 'Conexão do WhatsApp',
  assistant: 'Inteligência artificial',
  report: 'Relatórios',
  maintenance: 'Manutenção',
  audit: 'Auditoria',
}

export const resourceNames: Readonly<Record<AuditResource, string>> = {
  user: 'Usuário',
  conversation: 'Conversa',
  message: 'Mensagem',
  contact: 'Contato',
  company: 'Empresa',
  category: 'Categoria',
  system_settings: 'Configurações',
  gateway: 'Conexão',
  call: 'Chamada',
  audit: 'Auditoria',
  report: 'Relatório',
  maintenance: 'Manutenção',
  assistant: 'Inteligência artificial',
}

/** Instead of the name of what is gone. */
export const goneWords: Readonly<Record<AuditResource, string>> = {
  user: 'uma conta que não existe',
  conversation: 'um contato que não existe mais',
  message: 'um contato que não existe mais',
  contact: 'um contato que não existe mais',
  company: 'uma empresa que não existe mais',
  category: 'uma categoria que não existe mais',
  system_settings: 'configurações',
  gateway: 'conexão',
  call: 'chamada',
  audit: 'auditoria',
  report: 'relatório',
  maintenance: 'manutenção',
  assistant: 'inteligência artificial',
}
