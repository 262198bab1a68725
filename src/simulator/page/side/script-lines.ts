/** The scripts; pauses, in milliseconds, are spent typing. */
export type ScriptLine = { waitMs: number; text: string } | { waitMs: number; kind: 'photo' | 'voice' }

export const scripts: ScriptLine[][] = [
  [
    { waitMs: 900, text: 'Oi, boa tarde! Tudo bem?' },
    { waitMs: 1600, text: 'Fiz um pedido na segunda e ainda não recebi o código de rastreio' },
    { waitMs: 1300, text: 'O número é 48.231' },
    { waitMs: 2200, text: 'Consegue ver pra mim, por favor? 🙏' },
  ],
  [
    { waitMs: 1200, text: 'Boa tarde, vocês fazem entrega em Osasco?' },
    { waitMs: 1800, text: 'Preciso de 200 caixas 30×20×15 até sexta' },
    { waitMs: 1500, text: 'E qual o prazo pra pagamento no boleto?' },
  ],
  [
    { waitMs: 1000, text: 'Olá' },
    { waitMs: 1500, text: 'Chegou uma caixa amassada hoje 😕' },
    { waitMs: 1800, kind: 'photo' },
    { waitMs: 1400, text: 'Dá pra trocar?' },
  ],
  [
    { waitMs: 1100, text: 'Bom dia! Conseguiram emitir a segunda via do boleto?' },
    { waitMs: 2000, kind: 'voice' },
    { waitMs: 1200, text: 'Se puder mandar por aqui mesmo eu agradeço' },
  ],
  [
    { waitMs: 1300, text: 'Gente, o motoboy passou e eu não estava' },
    { waitMs: 1500, text: 'Pode deixar na portaria amanhã, com o seu Anselmo' },
    { waitMs: 900, text: 'Obrigada! ❤️' },
  ],
]
