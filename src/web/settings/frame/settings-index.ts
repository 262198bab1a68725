import { type TextKey, textSettings } from '#web/settings/fields/texts.ts'

/** The parts of the settings, by the name that the list has of each. */
export const placeLabels = {
  usuario: 'Usuário',
  automaticas: 'Mensagens automáticas',
  categorias: 'Categorias',
  respostas: 'Respostas e macros',
  pausas: 'Pausas',
  motivos: 'Motivos',
  etiquetas: 'Etiquetas',
  sla: 'SLA',
  horario: 'Horário',
  dia: 'Dia de trabalho',
  midia: 'Mídia',
  mensagens: 'Mensagens',
  fila: 'Fila',
  'pre-atendimento': 'Pré-atendimento',
  ia: 'IA',
  evolution: 'Evolution API',
  lgpd: 'Pedidos de titulares',
} as const
export type PlaceId = keyof typeof placeLabels

/** A setting as the search finds it, and where it is. */
export interface IndexEntry {
  place: PlaceId
  /** The section of the part, by its title. */
  section: string
  /** The label of its field; absent: the section as a whole. */
  label?: string
  /** Further words by which it is found. */
  also?: string
  /** The label of the switch beside it of which one state hides it; that is shown in its place. */
  behind?: string
}

/** The label of a field, or the key of the text that it is for. */
type Shown = string | { text: TextKey; behind?: string } | { label: string; behind: string }

const sectorMenu = 'Menu de setores'
const silence = 'Silêncio'

/** The sections of the parts with the labels of their fields: what is shown, in its order. */
const shown: Readonly<Record<PlaceId, Readonly<Record<string, readonly Shown[]>>>> = {
  usuario: { 'Seus dados': [] },
  automaticas: {
    'Mensagens automáticas': [
      { text: 'warningMessage' },
      { text: 'operatorInitiatedWarningMessage' },
      { text: 'transferMessage' },
      { text: 'finalizationMessage' },
      { text: 'inactivityMessage' },
    ],
    'Respostas dos botões': [
      { text: 'greetingMessage' },
      { text: 'verificationMessage' },
      { text: 'farewellMessage' },
      { text: 'lgpdMessage' },
    ],
  },
  categorias: { Categorias: [] },
  respostas: { 'Respostas rápidas': [], 'Respostas rápidas gerais': [], Macros: [] },
  pausas: { Pausas: [] },
  motivos: { 'Motivos de finalização': [], 'Ao finalizar': ['Pedir motivo ao finalizar'] },
  etiquetas: { 'Etiquetas de conversas': [], 'Etiqueta ao finalizar': ['Pedir etiqueta ao finalizar'] },
  sla: { 'Prazos (SLA)': [] },
  horario: {
    Empresa: ['Nome da empresa'],
    'Dias e horário': ['Início', 'Fim', 'Fuso horário', '24 horas', 'Horário diferente em alguns dias'],
    Almoço: ['Intervalo de almoço', 'Início do almoço', 'Fim do almoço'],
    Exceções: [],
    'Resposta automática': ['Responder fora do horário', { text: 'autoReplyMessage' }],
  },
  dia: {
    'Novo dia': ['Um novo dia começa como'],
    'Horário silencioso': [
      silence,
      { label: 'Início do silêncio', behind: silence },
      { label: 'Fim do silêncio', behind: silence },
      { label: 'Menções avisam mesmo assim', behind: silence },
    ],
  },
  midia: {
    'Endereços e pastas': [
      'URL base de mídia',
      'URL do proxy da Evolution',
      'URL de arquivos locais',
      'Tamanho máximo (MB)',
      'Diretório de uploads',
      'Diretório de cache',
    ],
    'Tipos permitidos': ['Imagens', 'Vídeos', 'Áudios', 'Documentos'],
    'Mensagem de arquivo bloqueado': ['Mensagem'],
  },
  mensagens: {
    Avaliação: ['Pedir avaliação', { text: 'ratingMessage' }, 'Pedir também após inatividade'],
    Arquivos: ['Avisar o cliente', { text: 'blockedFileMessage' }],
    Comportamento: [
      'Agradecimento não reabre',
      'Confirmar leitura ao cliente',
      'Resposta pelo celular conta',
      'Desfazer envio',
      'Desfazer finalização',
      'Registrar visualizações de todos',
      'Sons de notificação',
    ],
  },
  fila: {
    'Mensagens da fila': [
      { text: 'queueMessage' },
      { text: 'queuePositionUpdateMessage' },
      { text: 'queueWelcomeMessage' },
    ],
    Distribuição: ['Limite por operador', 'Distribuir automaticamente', 'Voltar à fila durante a pausa'],
    Inatividade: [
      'Encerrar por inatividade',
      'Contar só no expediente',
      'Avisar antes de encerrar',
      { text: 'inactivityWarningMessage' },
    ],
  },
  'pre-atendimento': {
    'Pré-atendimento': [
      'Perguntar antes de entrar na fila',
      sectorMenu,
      { text: 'preAttendanceMessage', behind: sectorMenu },
      { text: 'preAttendanceCancelMessage', behind: sectorMenu },
      { text: 'preAttendanceInvalidMessage', behind: sectorMenu },
      { text: 'sectorMenuMessage', behind: sectorMenu },
      { text: 'sectorMenuInvalidMessage', behind: sectorMenu },
      { label: 'Oferecer 0 - Cancelar', behind: sectorMenu },
      { label: 'Ao cancelar', behind: sectorMenu },
      'Quem não acerta a opção entra na fila',
    ],
  },
  ia: { 'Agente na fila': [], 'Ajuda para quem atende': [] },
  evolution: {
    Situação: [],
    'Conexão com o celular': [],
    Diagnóstico: [],
    Conexão: [],
    Webhook: [],
  },
  lgpd: { 'Pedidos de titulares (LGPD)': [] },
}

/** Words for which people look that no label has. */
const alsoOf: Readonly<Record<string, string>> = {
  'Seus dados': 'nome perfil e-mail',
  Categorias: 'cores clientes lead fornecedor vip',
  Pausas: 'almoço banheiro lanche intervalo ausência jornada limite motivos',
  'Prazos (SLA)': 'prazo primeira resposta encerramento meta atraso minutos',
  Macros: 'passos atalho automação sequência',
  'Motivos de finalização': 'razão encerrar tabulação classificação',
  'Dias e horário': 'expediente funcionamento segunda domingo semana abrir fechar',
  'Horário diferente em alguns dias': 'sábado meio-dia meio período',
  Exceções: 'feriados',
  'Novo dia': 'presença disponível ausente pausa esquecida entrar login',
  'Horário silencioso': 'som toque notificações noite folga não perturbe mudo fim de semana',
  'Resposta automática': 'fora do horário fechado ausência',
  'Respostas rápidas': 'atalhos barra / minhas do setor voz importar',
  'Respostas rápidas gerais': 'atalhos barra / equipe',
  Avaliação: 'nota satisfação pesquisa estrelas',
  'Confirmar leitura ao cliente': 'tiques azuis visto',
  'Sons de notificação': 'alerta toque barulho',
  'Desfazer envio': 'cancelar apagar segundos',
  Distribuição: 'operador livre conversas',
  Inatividade: 'silêncio fechamento automático',
  'Agente na fila': 'inteligência artificial robô chatbot gpt token',
  'Ajuda para quem atende': 'inteligência artificial resumir sugerir resposta modelo',
  'Conexão com o celular': 'qr code whatsapp número pareamento desconectar',
  Diagnóstico: 'problema doctor conferir',
  Conexão: 'url chave da api instância gateway',
  Webhook: 'url endereço configurar e conferir',
  'Pedidos de titulares (LGPD)': 'dados pessoais anonimizar exportar privacidade',
  'Tipos permitidos': 'arquivos extensões mime',
}

/** Everything that the search finds, in the order of the list. */
export const settingsIndex: readonly IndexEntry[] = Object.entries(shown).flatMap(([place, sections]) =>
  Object.entries(sections).flatMap(([section, fields]) => [
    entryOf(place as PlaceId, section),
    ...fields.map((field) => entryOfField(place as PlaceId, section, field)),
  ]),
)

function entryOfField(place: PlaceId, section: string, field: Shown): IndexEntry {
  if (typeof field === 'string') return entryOf(place, section, field)
  const behind = field.behind !== undefined && { behind: field.behind }
  if ('label' in field) return { ...entryOf(place, section, field.label), ...behind }
  const { label, when } = textSettings[field.text]
  return { ...entryOf(place, section, label), also: when, ...behind }
}

function entryOf(place: PlaceId, section: string, label?: string): IndexEntry {
  const also = alsoOf[label ?? section]
  return { place, section, ...(label !== undefined && { label }), ...(also !== undefined && { also }) }
}
