/** Why a request is refused: its HTTP status, and what is said. */
export const errors = {
  'request.invalid': [400, 'Dados inválidos'],
  'request.not_found': [404, 'Recurso não encontrado'],
  'request.too_large': [413, 'O conteúdo enviado é grande demais'],
  'request.cross_origin': [403, 'Pedido recusado: origem não permitida'],
  'request.failed': [500, 'Erro interno. Tente novamente.'],
  'request.too_many': [429, 'Muitas tentativas recusadas. Aguarde um minuto e tente novamente.'],
  'request.too_often': [429, 'Pedidos demais em pouco tempo. Aguarde alguns segundos.'],
  'request.unavailable': [503, 'Serviço temporariamente indisponível. Tente novamente.'],
  'request.disk_full': [
    507,
    'O disco do servidor está cheio e não recebe arquivos. Avise o administrador e tente novamente depois.',
  ],
} as const

/** What the calls under a path are about, for the sentence of a refused one. */
export const areas = {
  '/ws': 'Tempo real',
}
