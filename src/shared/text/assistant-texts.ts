/** What the text on personal data says of the agent while it is on. */
export const agentSentence =
  'Enquanto você espera, um assistente de inteligência artificial pode responder; para isso, suas ' +
  'mensagens, seu nome e seu telefone são enviados ao serviço que o opera.'

/** What it says of the help for operators while that is on. */
export const helpSentence =
  'Usamos também um sistema automático de inteligência artificial para resumir a conversa e sugerir ' +
  'respostas, que uma pessoa sempre lê antes de enviar.'

/** What it says of the transcription of sounds while that is on. */
export const transcriptionSentence =
  'Os áudios da conversa podem ser transformados em texto por um sistema automático; para isso, o áudio é ' +
  'enviado ao serviço que o opera.'

/** What a test says and asks, and what the form lacks, for the administrator. */
export const assistantTexts = {
  agentThere: 'O serviço conhece o agente.',
  agentNamed: 'O serviço conhece o agente: {name}.',
  answered: 'O agente respondeu.',
  helpAnswered: 'O servidor respondeu.',
  soundAnswered: 'O servidor aceitou o áudio de teste.',
  unreachable: 'O servidor não respondeu. Confira o endereço.',
  tooSlow: 'O servidor demorou demais para responder.',
  keyUnreadable: 'A chave guardada não pode mais ser lida. Informe-a de novo.',
  keyRefused: 'O servidor recusou a chave.',
  notFound: 'O servidor não conhece o que foi pedido (404). Confira o agente ou o modelo.',
  refused: 'O servidor recusou o pedido (código {status}).',
  addressRefused: 'O endereço do servidor de IA não é permitido. Libere-o em GATEWAY_ALLOWED_HOSTS.',
  addressRefusedToTeam: 'O endereço do servidor de IA não é permitido. Avise um administrador.',
  badAnswer: 'O servidor respondeu algo que não é uma resposta do contrato.',
  tooLarge: 'A resposta do servidor é grande demais.',
  empty: 'O servidor respondeu sem texto.',
  agentIdMissing: 'Informe o ID do agente',
  apiTokenMissing: 'Informe o token da API',
  addressMissing: 'Informe o endereço do servidor',
  modelMissing: 'Informe o modelo',
  /** What the server of the help is asked in a test. */
  testInstruction: 'Responda só com a palavra: ok',
  testQuestion: 'Você está aí?',
} as const
