import { fileTexts } from '#shared/text/text.ts'

/** Why a request is refused: its HTTP status, and what is said. */
export const errors = {
  'messages.not_found': [404, 'Mensagem não encontrada'],
  'messages.not_retryable': [409, 'Esta mensagem não pode ser reenviada.'],
  'messages.not_reactable': [409, 'Só se reage a mensagens que já chegaram ao WhatsApp.'],
  'messages.not_yours': [403, 'Só quem enviou a mensagem pode mudá-la.'],
  'messages.not_editable': [409, 'Só se editam textos e legendas que não foram apagados.'],
  'messages.not_deletable': [409, 'Esta mensagem não pode ser apagada.'],
  'messages.not_forwardable': [409, 'Esta mensagem não pode ser encaminhada.'],
  'messages.edit_too_late': [409, 'O WhatsApp só deixa editar até 15 minutos depois do envio.'],
  'messages.delete_too_late': [409, 'O WhatsApp só deixa apagar para todos até 60 horas depois do envio.'],
  'messages.under_way': [409, 'A mensagem está sendo enviada. Tente novamente em um instante.'],
  'messages.already_sent': [409, 'A mensagem já foi enviada.'],
  'messages.undone': [409, 'Este envio foi desfeito.'],
  'messages.change_refused': [409, 'O WhatsApp não aceitou a mudança. A mensagem continua como estava.'],
  'messages.is_note': [
    422,
    'Uma nota interna é só da equipe: ela não se envia, cita, encaminha nem recebe reação.',
  ],
  'notes.not_yours': [403, 'Só quem escreveu a nota pode mudá-la.'],
  'notes.too_late': [409, 'Uma nota só pode ser mudada até 15 minutos depois de escrita.'],
  'notes.gone': [409, 'Esta nota já foi excluída.'],
  'notes.mention_unknown': [422, 'Quem você mencionou não está mais aqui. Tire a menção ou escolha de novo.'],
  'notes.mention_out_of_reach': [422, '{name} não vê esta conversa. Tire a menção para salvar a nota.'],
  'notes.mention_not_written': [422, 'O texto da nota não tem “@{name}”. Escolha a menção de novo.'],
  'messages.not_transcribable': [409, 'Só se transcrevem áudios que não foram apagados.'],
  'media.not_found': [404, 'Arquivo não encontrado'],
  'media.unavailable': [502, 'O arquivo não está disponível no momento. Tente novamente.'],
  'media.store_away': [
    503,
    'O armazenamento de arquivos não responde. As mensagens seguem chegando; tente novamente em instantes.',
  ],
  'media.bad_range': [416, 'O trecho pedido não existe no arquivo.'],
  'media.not_shown': [415, 'Este arquivo não pode ser mostrado aqui, só baixado.'],
  'media.too_large': [413, fileTexts['media.too_large']],
  'media.too_large_here': [413, 'O arquivo é grande demais para ser aberto aqui. Veja no celular.'],
  'media.blocked': [422, fileTexts['media.blocked']],
  'media.missing': [400, 'Escolha um arquivo para enviar.'],
  'media.empty': [422, fileTexts['media.empty']],
} as const

/** What the calls under a path are about, for the sentence of a refused one. */
export const areas = {
  '/api/media': 'Arquivos das conversas',
}
