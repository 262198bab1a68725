import { always, asked, askedIn } from '#shared/text/rights/controls.ts'

/** Why a request is refused: its HTTP status, and what is said. */
export const errors = {
  'contacts.not_found': [404, 'Contato não encontrado'],
  'contacts.blocked': [403, 'O contato está bloqueado.'],
  'contacts.erased': [409, 'Este contato foi anonimizado.'],
  'contacts.changed': [409, 'Um colega mudou este contato enquanto você editava.'],
  'contacts.phone_taken': [409, 'Este telefone já é do contato {name}.'],
  'contacts.phone_masked': [400, 'Digite o telefone inteiro, ou deixe como estava.'],
  'contacts.name_masked': [400, 'Escreva o nome sem o telefone oculto, ou deixe como estava.'],
  'contacts.phones_hidden': [403, 'Os telefones são ocultos para você.'],
  'contacts.phones_shown_often': [
    429,
    'Você já mostrou {count} telefones na última hora. Espere para mostrar outro.',
  ],
  'contacts.phone_in_use': [
    409,
    'O telefone não muda durante uma conversa aberta: as respostas iriam para outro número.',
  ],
  'contacts.has_open_conversation': [
    409,
    'Este contato tem uma conversa aberta. Finalize a conversa antes de excluir o contato.',
  ],
  'contacts.is_choosing': [
    409,
    'O cliente ainda escolhe se quer atendimento. Exclua o contato depois disso, ou bloqueie-o agora.',
  ],
  'contacts.at_other_number': [
    409,
    'Este contato está em uma conversa que você não vê. Peça a quem a atende.',
  ],
  'contacts.merge_not_found': [404, 'Esta junção não pode mais ser desfeita.'],
  'contacts.merge_gone': [409, 'Um dos contatos foi excluído ou juntado a outro depois. Desfaça isso antes.'],
  'contacts.category_not_found': [422, 'Categoria não encontrada'],
  'imports.not_found': [404, 'Importação não encontrada'],
  'imports.unreadable': [422, 'Não conseguimos ler este arquivo: {reason} Exporte de novo como CSV ou XLSX.'],
  'imports.empty': [422, 'O arquivo não tem nenhuma linha abaixo do cabeçalho.'],
  'imports.no_phone': [
    422,
    'Falta dizer qual coluna é o telefone. Sem ele não dá para saber se a pessoa já existe.',
  ],
  'imports.no_name': [422, 'Falta dizer qual coluna é o nome.'],
  'imports.changed': [409, 'A importação mudou enquanto você agia. Confira e tente novamente.'],
  'imports.too_old': [409, 'Só dá para desfazer uma importação até um dia depois do fim.'],
  'categories.not_found': [404, 'Categoria não encontrada'],
  'categories.duplicate': [409, 'Já existe uma categoria com este nome.'],
  'categories.changed': [409, 'Um colega mudou esta categoria enquanto você editava.'],
  'companies.not_found': [404, 'Empresa não encontrada'],
  'companies.unknown': [422, 'Empresa não encontrada'],
  'companies.inactive': [422, 'A empresa está inativa.'],
  'companies.duplicate': [409, 'Já existe uma empresa com este nome.'],
  'companies.changed': [409, 'Um colega mudou esta empresa enquanto você editava.'],
} as const

/** What its screens offer. */
export const controls = {
  '/contacts': [
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
  '/contacts/import': [asked('updateByImport', 'Atualizar')],
  '/companies': [
    always('createCompany', 'Nova Empresa'),
    always('editCompany', 'Editar'),
    always('deleteCompany', 'Excluir'),
    asked('mergeCompanies', 'Comparar e juntar'),
  ],
}

/** What its fields are called where the audit log shows a change. */
export const fields = {
  tags: 'Etiquetas',
  notes: 'Notas',
  company: 'Empresa',
  companyId: 'Empresa',
  sector: 'Setor fixo',
  sectorId: 'Setor fixo',
  responsibleName: 'Responsável',
  category: 'Categoria',
  description: 'Descrição',
  color: 'Cor',
}

/** What the calls under a path are about, for the sentence of a refused one. */
export const areas = {
  '/api/contacts/import': 'Importação de contatos',
  '/api/contacts/imports': 'Importação de contatos',
  '/api/contacts/export': 'Exportação de contatos',
  '/api/contacts': 'Contatos',
  '/api/contact-categories': 'Categorias',
  '/api/companies': 'Empresas',
}
