import { always, asked, askedIn } from '#shared/text/rights/controls.ts'

/** Why a request is refused: its HTTP status, and what is said. */
export const errors = {
  'conversations.not_found': [404, 'Conversa não encontrada'],
  'conversations.queue_empty': [404, 'Não há conversas na fila.'],
  'conversations.completed': [409, 'Esta conversa já foi finalizada.'],
  'conversations.taken': [409, 'A conversa já está com {name}.'],
  'conversations.client_wrote': [409, 'O cliente acabou de escrever'],
  'conversations.snooze_past': [422, 'Escolha um horário no futuro.'],
  'conversations.snooze_far': [422, 'Escolha um horário dentro de um ano.'],
  'conversations.snooze_unheld': [409, 'Assuma a conversa antes de deixá-la em espera.'],
  'conversations.undo_too_late': [409, 'O atendimento já está encerrado e não pode mais ser reaberto.'],
  'conversations.open_again': [409, 'O cliente já tem outra conversa aberta.'],
  'conversations.changed': [409, 'A conversa mudou enquanto você agia. Confira e tente novamente.'],
  'conversations.elsewhere': [
    409,
    'Este contato já está em conversa com a equipe, em um setor que você não vê. Peça a quem atende.',
  ],
  'conversations.in_sector': [409, 'A conversa já está na fila do setor {name}.'],
  'conversations.target_not_in_sector': [422, '{name} não está neste setor.'],
  'conversations.target_unavailable': [422, 'O operador escolhido não está disponível.'],
  'conversations.number_off': [
    409,
    'O número desta conversa está desativado. Um administrador precisa ativá-lo para que se possa responder.',
  ],
  'conversations.chosen_number_off': [409, 'O número escolhido está desativado. Escolha outro.'],
  'conversations.target_without_number': [422, '{name} não atende este número.'],
} as const

/** What its screens offer; '*' is the frame of all of them. */
export const controls = {
  '*': [
    asked('handOver', 'Passar meu turno'),
    askedIn('Passar meu turno', 'handOverToQueue', 'Para a fila'),
    askedIn('Passar meu turno', 'handOverToColleague', 'Para um colega'),
    asked('takeNext', 'Assumir próxima'),
    askedIn('Ir para…', 'viewConversations', 'Conversas abertas'),
    askedIn('Ir para…', 'viewContacts', 'Contatos'),
    askedIn('Ir para…', 'viewConversations', 'Mensagens'),
    asked('viewNotices', 'Avisos'),
  ],
  '/': [
    asked('viewDashboard', 'Status da Fila'),
    asked('viewStatistics', 'Tempo Médio'),
    asked('viewStatistics', 'Operadores Online'),
    asked('viewConversations', 'Conversas Recentes'),
    asked('viewTeam', 'Equipe agora'),
    askedIn('Equipe agora', 'leadTeam', 'Esperando há mais de'),
    asked('viewReports', 'Na semana'),
    asked('viewWholeArchive', 'Finalizados hoje'),
  ],
  '/conversas-ativas': [
    asked('takeNext', 'Assumir próxima'),
    asked('take', 'Assumir'),
    asked('transfer', 'Transferir'),
    asked('finalize', 'Finalizar'),
  ],
  '/chat': [
    always('reply', 'Enviar'),
    always('attachFile', 'Anexar arquivo'),
    asked('writeNote', 'Nota interna'),
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
    asked('snooze', 'Lembrar'),
    asked('reply', 'Sugerir resposta'),
    asked('reply', 'Resumir'),
    asked('deleteConversation', 'Excluir'),
    asked('startConversation', 'Nova conversa'),
    always('editContact', 'Editar dados do contato'),
    always('createCompany', '+ Criar Nova Empresa'),
    asked('viewTracking', 'Registros de visualização e avisos da fila'),
  ],
  '/conversas-arquivadas': [
    always('startConversation', 'Conversar de novo'),
    asked('writeNoteInArchive', 'Nota interna'),
    asked('deleteArchived', 'Excluir Conversa'),
  ],
}

/** What its fields are called where the audit log shows a change. */
export const fields = {
  disableAutoClose: 'Fechamento automático desativado',
}

/** What the calls under a path are about, for the sentence of a refused one. */
export const areas = {
  '/api/conversations/archived': 'Conversas arquivadas',
  '/api/conversations': 'Conversas',
  '/api/drafts': 'Conversas',
  '/api/stats': 'Dashboard',
}
