/** Why a request is refused: its HTTP status, and what is said. */
export const assistantErrors = {
  'assistant.off': [409, 'Esta ajuda da IA está desligada.'],
  'assistant.busy': [429, 'Outro pedido seu à IA tomou o lugar deste.'],
  'assistant.failed': [502, 'A IA não respondeu. Tente de novo.'],
  'assistant.nothing': [409, 'Não há mensagens para a IA ler.'],
  'assistant.incomplete': [400, 'Preencha o que falta antes de ligar.'],
} as const
