/** Why a file of contacts cannot be read; goes on after 'Não conseguimos ler este arquivo: '. */
export const unreadableFile = {
  noText: 'ele não é um texto.',
  incomplete: 'ele está incompleto.',
  noWorkbook: 'ele não é uma planilha XLSX inteira.',
  rowsOutOfOrder: 'as linhas da planilha estão fora de ordem.',
  tooLarge: 'ele é grande demais. Divida em partes ou salve como CSV.',
  openQuotes: (line: number) =>
    line < 1
      ? 'há aspas que não fecham já na primeira linha.'
      : `há aspas que não fecham depois da linha ${line}.`,
  otherKind: (kind: keyof typeof fileKinds) => `ele parece ${fileKinds[kind]}.`,
} as const

const fileKinds = {
  pdf: 'um PDF',
  oldExcel: 'uma planilha do Excel antigo (.xls), ou com senha',
  photo: 'uma foto',
  image: 'uma imagem',
  richText: 'um documento de texto',
  webPage: 'uma página da web',
} as const
