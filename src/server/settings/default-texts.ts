import { inactivityMinutes } from '#shared/settings/inactivity.ts'
import { usualCapacity } from '#shared/settings/capacity.ts'
import type { SystemSettings } from '#shared/settings/settings.ts'

/** The default settings, including the texts that contacts receive until an administrator changes them. */
export const defaultSettings: SystemSettings = {
  workingHours: { start: '09:00', end: '18:00', days: [1, 2, 3, 4, 5] },
  lunchBreak: { enabled: true, start: '12:00', end: '13:00' },
  companyName: '',
  whatsappNumber: '',
  autoReplyMessage:
    'Olá! No momento estamos fora do horário de atendimento. Recebemos sua mensagem e responderemos ' +
    'assim que voltarmos.',
  isAutoReplyEnabled: true,
  timezone: 'America/Sao_Paulo',
  scheduleExceptions: [],
  quickResponses: [],
  transferMessage: 'Seu atendimento foi transferido para {{operator}}, que continua a conversa com você.',
  finalizationMessage: 'Seu atendimento foi finalizado. Obrigado pelo contato!',
  inactivityMessage:
    `Encerramos este atendimento por falta de resposta nos últimos ${inactivityMinutes} minutos. ` +
    'Se precisar, é só escrever de novo.',
  greetingMessage: 'Olá! Como posso ajudá-lo hoje?',
  verificationMessage: 'Vou verificar essa informação para você. Aguarde um momento.',
  farewellMessage: 'Obrigado pelo contato! Tenha um ótimo dia!',
  lgpdMessage:
    'Aviso de privacidade (LGPD, Lei nº 13.709/2018): usamos seu nome, seu telefone e as mensagens desta ' +
    'conversa para atender você e registrar o atendimento, e os guardamos apenas pelo tempo necessário ' +
    'para isso e para cumprir a lei. Não vendemos seus dados; só os recebem quem nos presta o serviço de ' +
    'mensagens e autoridades, quando a lei exige. Você pode confirmar o tratamento, acessar, corrigir, ' +
    'levar a outro fornecedor ou excluir seus dados, opor-se ao uso e revogar o consentimento: basta ' +
    'pedir por este canal, que encaminhamos ao encarregado pelos dados. Também é possível reclamar à ' +
    'ANPD (gov.br/anpd).',
  enableSoundNotifications: true,
  enableViewTrackingForAll: true,
  queueMessage:
    'Todos os nossos atendentes estão ocupados. Você é o {{position}}º da fila; já já falamos com você.',
  queueWelcomeMessage: 'Olá! Recebemos sua mensagem e um atendente já vai falar com você.',
  queuePositionUpdateMessage: 'Você agora é o {{position}}º da fila.',
  warningMessage: 'Olá! {{operator}} assumiu o seu atendimento. Protocolo: {{protocol}}.',
  operatorInitiatedWarningMessage: 'Olá! {{operator}} iniciou este atendimento. Protocolo: {{protocol}}.',
  blockedFileNotice: true,
  blockedFileMessage:
    'Não recebemos este tipo de arquivo. Envie imagens, vídeos, áudios ou documentos PDF ou Word.',
  preAttendanceEnabled: false,
  preAttendanceMessage: 'Olá! Digite 1 para falar com um atendente ou 2 para encerrar.',
  preAttendanceCancelMessage: 'Tudo bem, encerramos por aqui. Quando precisar, é só escrever.',
  preAttendanceInvalidMessage: 'Não entendi. Digite 1 para falar com um atendente ou 2 para encerrar.',
  preAttendanceMostInvalid: 3,
  sectorMenuEnabled: false,
  sectorMenuMessage: 'Olá! Com quem você quer falar? Responda com o número:\n\n{{opcoes}}',
  sectorMenuInvalidMessage: 'Não entendi. Responda com o número de uma das opções:\n\n{{opcoes}}',
  sectorMenuCancel: true,
  ratingsEnabled: false,
  ratingMessage: 'Como foi seu atendimento? Responda com uma nota de 1 a 5.',
  ratingAfterInactivity: false,
  thanksStayClosed: true,
  phoneAnswersCount: true,
  undoSendSeconds: 0,
  undoFinalizeSeconds: 5,
  readReceiptsEnabled: true,
  maxActivePerOperator: usualCapacity,
  pauseReturnMinutes: 0,
  autoDistributionEnabled: false,
  inactivityWarningMessage:
    'Você ainda está por aí? Sem resposta nos próximos minutos, este atendimento será encerrado.',
  inactivityWarningMinutes: 0,
  inactivityAppliesTo: 'client',
  inactivityCountsOpenHoursOnly: false,
  askReason: 'optional',
  askTag: 'no',
  newDayPresence: 'available',
  silentHours: {
    mode: 'off',
    start: '22:00',
    end: '07:00',
    days: [0, 1, 2, 3, 4, 5, 6],
    daysOff: [],
    mentions: false,
  },
}
