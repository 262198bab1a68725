/** Why a request is refused: its HTTP status, and what is said. */
export const errors = {
  'assistant.off': [409, 'Esta ajuda da IA está desligada.'],
  'assistant.busy': [429, 'Outro pedido seu à IA tomou o lugar deste.'],
  'assistant.failed': [502, 'A IA não respondeu. Tente de novo.'],
  'assistant.nothing': [409, 'Não há mensagens para a IA ler.'],
  'assistant.no_transcription': [409, 'A transcrição de áudios está desligada.'],
  'assistant.incomplete': [400, 'Preencha o que falta antes de ligar.'],
} as const

/** What its fields are called where the audit log shows a change. */
export const fields = {
  agentId: 'ID do agente',
  agentName: 'Agente',
  autoResponse: 'Responder automaticamente',
  autoResponseDelay: 'Espera antes de responder',
  fallbackToHuman: 'Passar para uma pessoa quando falhar',
  maxRetries: 'Tentativas',
  helpBaseUrl: 'Endereço do servidor de IA',
  helpModel: 'Modelo',
  canSummarize: 'Resumir',
  canSuggest: 'Sugerir resposta',
  transcriptionBaseUrl: 'Endereço da transcrição',
  transcriptionModel: 'Modelo da transcrição',
  canTranscribe: 'Transcrever áudios',
  transcribesAll: 'Transcrever todos os áudios recebidos',
  transcriptionMaxMinutes: 'Minutos por áudio',
  transcriptionDayMinutes: 'Minutos de áudio por dia',
  isOff: 'IA desligada',
}

/** What the calls under a path are about, for the sentence of a refused one. */
export const areas = {
  '/api/gpt-maker-config': 'Inteligência artificial',
}
