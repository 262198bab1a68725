import type { SystemSettings } from '#shared/settings.ts'

/** What contacts receive until an administrator writes something better, and every other default of the settings. */
export const defaultSettings: SystemSettings = {
  workingHours: { start: '09:00', end: '18:00', days: [1, 2, 3, 4, 5] },
  lunchBreak: { enabled: true, start: '12:00', end: '13:00' },
  whatsappNumber: '',
  autoReplyMessage:
    'Olá! Nosso atendimento funciona de segunda a sexta, das 9h às 18h. Recebemos sua mensagem e responderemos assim que voltarmos.',
  isAutoReplyEnabled: true,
  timezone: 'America/Sao_Paulo',
  quickResponses: [],
  transferMessage: 'Seu atendimento foi transferido para {{operator}}, que continua a conversa com você.',
  finalizationMessage: 'Seu atendimento foi finalizado. Obrigado pelo contato!',
  inactivityMessage:
    'Encerramos este atendimento por falta de resposta nos últimos 30 minutos. Se precisar, é só escrever de novo.',
  greetingMessage: 'Olá! Como posso ajudá-lo hoje?',
  verificationMessage: 'Vou verificar essa informação para você. Aguarde um momento.',
  farewellMessage: 'Obrigado pelo contato! Tenha um ótimo dia!',
  lgpdMessage:
    'Seus dados são usados somente para este atendimento, conforme a Lei Geral de Proteção de Dados (Lei nº 13.709/2018). Você pode pedir acesso, correção ou exclusão a qualquer momento por este canal.',
  enableSoundNotifications: true,
  enableViewTrackingForAll: true,
  queueMessage:
    'Todos os nossos atendentes estão ocupados. Você é o {{position}}º da fila; já já falamos com você.',
  queueWelcomeMessage: 'Olá! Recebemos sua mensagem e um atendente já vai falar com você.',
  queuePositionUpdateMessage: 'Você agora é o {{position}}º da fila.',
  warningMessage: '',
  operatorInitiatedWarningMessage: '',
  blockedFileMessage:
    'Não recebemos este tipo de arquivo. Envie imagens, vídeos, áudios ou documentos PDF ou Word.',
  preAttendanceEnabled: false,
  preAttendanceMessage: 'Olá! Digite 1 para falar com um atendente ou 2 para encerrar.',
  preAttendanceCancelMessage: 'Tudo bem, encerramos por aqui. Quando precisar, é só escrever.',
  preAttendanceInvalidMessage: 'Não entendi. Digite 1 para falar com um atendente ou 2 para encerrar.',
  ratingsEnabled: false,
  ratingMessage: 'Como foi seu atendimento? Responda com uma nota de 1 a 5.',
  phoneAnswersCount: true,
  maxActivePerOperator: 5,
}
