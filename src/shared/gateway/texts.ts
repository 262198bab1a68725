/** Why a request is refused: its HTTP status, and what is said. */
export const errors = {
  'gateway.not_configured': [409, 'O gateway do WhatsApp não está configurado.'],
  'gateway.unreachable': [502, 'Não foi possível conectar ao gateway: {reason}'],
  'gateway.hindered': [502, 'Nada mudou no WhatsApp: {reason}. Tente de novo.'],
  'gateway.duplicate': [409, 'Já existe uma conexão com este nome de instância.'],
  'gateway.address_refused': [
    422,
    'O endereço do gateway não é permitido. Libere-o em GATEWAY_ALLOWED_HOSTS.',
  ],
  'gateway.weak_key': [422, 'Esta chave é pública e conhecida. Troque a chave no servidor do gateway.'],
  'gateway.bad_key': [422, 'A chave da API tem caracteres que não podem ser enviados.'],
  'gateway.key_refused': [502, 'A chave foi recusada pelo gateway'],
  'gateway.key_needed': [400, 'O endereço é de outro servidor: informe a chave da API de novo.'],
  'gateway.not_found': [404, 'Configuração do gateway não encontrada'],
  'gateway.key_of_instance': [
    502,
    'Esta chave não pode criar a instância. ' +
      'Use a AUTHENTICATION_API_KEY do servidor, ou crie a instância no painel da Evolution API.',
  ],
  'gateway.license': [
    502,
    'Esta versão da Evolution API precisa de uma licença, que ainda não foi ativada no servidor.',
  ],
  'gateway.other_api': [
    502,
    'O que responde neste endereço é o Evolution Go, que tem outra API: ' +
      'informe o endereço de uma Evolution API.',
  ],
  'gateway.inactive': [409, 'A conexão está desativada: ligue-a e salve.'],
  'gateway.none_given': [409, 'Nenhum número ativo foi dado a você: peça um a quem administra o WhatsApp.'],
  'gateway.has_open': [409, 'O número tem {count} conversa(s) aberta(s): finalize-as antes de excluí-lo.'],
  'gateway.has_unsent': [
    409,
    'O número ainda tem mensagens a enviar ou a receber: espere um instante e tente de novo.',
  ],
  'gateway.connected': [409, 'O número está conectado: desconecte-o ou desative-o antes de excluí-lo.'],
  'gateway.not_linked': [409, 'O número não está ligado a um celular: gere um código.'],
  'gateway.not_sent': [502, 'A mensagem não foi enviada. O motivo: {reason}.'],
  'gateway.send_unconfirmed': [502, 'Não foi possível confirmar o envio. Confira no celular do número.'],
  'gateway.bad_number': [422, 'Digite o número com DDD, como (11) 95555-4444.'],
} as const

/** What its fields are called where the audit log shows a change. */
export const fields = {
  instanceName: 'Nome da instância',
  baseUrl: 'Endereço do gateway',
  webhookUrl: 'Endereço do webhook',
  defaultSectorId: 'Setor padrão',
}

/** What the calls under a path are about, for the sentence of a refused one. */
export const areas = {
  '/api/evolution-config': 'Conexão do WhatsApp',
  '/api/numbers': 'Números',
  '/api/first-steps': 'Primeiros passos',
  '/api/webhook': 'Webhook',
}
