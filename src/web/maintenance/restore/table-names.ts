const names: Readonly<Record<string, string>> = {
  system_settings: 'Configurações',
  contact_categories: 'Categorias',
  evolution_api_config: 'Gateway',
  users: 'Usuários',
  companies: 'Empresas',
  company_distinctions: 'Empresas que não são a mesma',
  contacts: 'Contatos',
  contact_identities: 'Números de contatos',
  contact_distinctions: 'Contatos que não são o mesmo',
  conversations: 'Conversas',
  messages: 'Mensagens',
  message_versions: 'Textos anteriores',
  message_reactions: 'Reações',
  message_votes: 'Votos em enquetes',
  conversation_ratings: 'Avaliações',
  files: 'Arquivos',
  forgotten_messages: 'Mensagens excluídas com a conversa',
  saved_reports: 'Relatórios salvos',
  privacy_requests: 'Pedidos de titulares',
}

/** A table of the database as the screens call what it holds. */
export const tableName = (table: string): string => names[table] ?? table
