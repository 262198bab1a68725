type Keys = readonly string[]

/** All shortcuts, as the sheet lists them; `with` has the ways to press each. */
export const shortcuts: readonly {
  group: string
  keys: readonly { does: string; with: readonly Keys[] }[]
}[] = [
  {
    group: 'Em toda parte',
    keys: [
      { does: 'Ir para… tela, conversa, contato ou ação', with: [['Ctrl', 'K']] },
      { does: 'Assumir a próxima conversa da fila', with: [['Alt', 'P']] },
      { does: 'Ler a notificação', with: [['F8']] },
      { does: 'Mostrar os atalhos', with: [['?']] },
    ],
  },
  {
    group: 'Na conversa',
    keys: [
      { does: 'Assumir', with: [['Alt', 'A']] },
      { does: 'Transferir', with: [['Alt', 'T']] },
      { does: 'Finalizar', with: [['Alt', 'L']] },
      { does: 'Lembrar', with: [['Alt', 'S']] },
      { does: 'Etiquetas da conversa', with: [['Alt', 'E']] },
      { does: 'Finalizar ou transferir, e abrir a próxima', with: [['Ctrl', 'Enter']] },
      { does: 'Nota interna, e de volta a Responder', with: [['Alt', 'N']] },
      { does: 'Anexar arquivo', with: [['Alt', 'X']] },
    ],
  },
  {
    group: 'Na lista de conversas',
    keys: [
      { does: 'Buscar na lista', with: [['Alt', 'B']] },
      {
        does: 'Conversa anterior e próxima',
        with: [
          ['Alt', '↑'],
          ['Alt', '↓'],
        ],
      },
    ],
  },
  {
    group: 'Nas mensagens',
    keys: [
      { does: 'Mensagem anterior e próxima', with: [['↑'], ['↓']] },
      { does: 'Primeira e última', with: [['Home'], ['End']] },
      { does: 'Responder e outras opções', with: [['Tab']] },
      { does: 'Buscar na conversa', with: [['Ctrl', 'F']] },
      { does: 'Voltar ao texto', with: [['Esc']] },
    ],
  },
  {
    group: 'No texto',
    keys: [
      { does: 'Enviar', with: [['Enter']] },
      { does: 'Nova linha', with: [['Shift', 'Enter']] },
      { does: 'Editar minha última mensagem, com o texto vazio', with: [['↑']] },
      { does: 'Respostas rápidas, no começo do texto', with: [['/']] },
      { does: 'Emojis, com o começo do nome', with: [[':']] },
    ],
  },
]
