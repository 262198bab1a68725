import { script } from './script.ts'

/** Conversations about payments and documents, and short ones. See script.ts for the notation. */
export const billingScenarios = [
  script(
    'segunda via',
    ['cliente', 'vip', 'geral'],
    9,
    `
c {oi}! Preciso da segunda via do boleto | {oi}, o boleto da nota {nf} não chegou
  | {oi}, meu boleto vence hoje e não achei no e-mail | {oi}! Pode reenviar o boleto de R$ {valor}?
o {opoi} Já mando. É o da nota {nf}? | {opoi} Um minutinho que gero aqui. | {opoi} Claro! No mesmo CNPJ?
c Esse mesmo | Isso, o que vence {data} | Sim, por favor | É o da filial
o @doc Boleto {nf}.pdf | @doc Boleto_NF_{nf}.pdf Aqui está, com o vencimento novo
  | Enviei no e-mail do financeiro agora. Chegou? | Segue a linha digitável: {linha}
c Chegou | Recebi | Deu certo, já paguei | Vou pagar agora
n Segunda via do boleto {nf}.`,
  ),
  script(
    'boleto vencido',
    ['cliente'],
    5,
    `
c {oi}, o boleto venceu {ontem}. Consegue atualizar?
  | {oi}! Esqueci de pagar o boleto, dá para tirar os juros?
  | {oi}, meu boleto foi para cartório? Recebi um aviso aqui
o= {opoi} Consigo, sim. Para que dia você quer? | {opoi} Consigo desta vez. Pode ser para que dia?
  | {opoi} Com poucos dias não vai a cartório, fique tranquil{cli}. Para quando atualizo?
c Pode ser para {dia} | Amanhã | Consigo pagar hoje no Pix
o= Tirei os juros desta vez: R$ {valor}, vencimento {data}. | @doc Boleto {nf} atualizado.pdf
  | A chave Pix é financeiro@emporioaurora.example, em nome de Empório Aurora Embalagens.
c @image Comprovante | @doc Comprovante Pix.pdf | Pago! | Pronto, paguei
o Confirmado, baixado aqui. | Recebido! Já dei baixa. | Compensa até amanhã e eu baixo.
n Boleto {nf} prorrogado para {data}, sem juros.`,
  ),
  script(
    'nota fiscal',
    ['cliente', 'vip'],
    7,
    `
c {oi}! Não recebi a nota do pedido {pedido} | {oi}, manda o XML da nota {nf}? Meu contador pediu
  | {oi}, a nota veio com a inscrição estadual errada
o= {opoi} Reenvio já. Qual o e-mail? | {opoi} Mando por aqui mesmo? | {opoi} Vou verificar com o fiscal.
c= O mesmo de sempre | Pode ser, com cópia para fiscal@{dominio} | Obrigad{cli}, preciso disso hoje
o= @doc DANFE {nf}.pdf | @doc NFe {nf}.xml
  | Sai uma carta de correção até {dia}. Mando assim que estiver pronta.
c= Recebido | Chegou certinho | Perfeito, aguardo
n Nota {nf} reenviada. | Carta de correção da nota {nf}.`,
  ),
  script(
    'faturar em outro CNPJ',
    ['cliente', 'vip'],
    3,
    `
c {oi}! Dá para faturar o {pedido} no CNPJ da filial? | {oi}, o próximo pedido sai no CNPJ novo, tudo bem?
  | Mudamos a razão social, o que preciso mandar?
o {opoi} Dá, se a nota ainda não saiu. Me manda o cartão CNPJ?
  | {opoi} Preciso do cartão CNPJ e da inscrição estadual.
c @doc Cartão CNPJ.pdf | @image | {cnpj}
o Cadastro feito! O limite do crédito vem junto. | Cadastrado. Para o boleto, a análise leva um dia útil.
  | Pronto, o {pedido} sai no CNPJ {cnpj}.
n Novo CNPJ cadastrado: {cnpj}.`,
  ),
  script(
    'pagamento em dobro',
    ['cliente'],
    2,
    `
c {oi}, acho que paguei o boleto {nf} duas vezes | {oi}! O financeiro pagou R$ {valor} em duplicidade
o {opoi} Vou pedir a conferência. Tem os dois comprovantes?
  | {opoi} Vejo com o financeiro ainda hoje. Me manda os comprovantes?
c @image | @doc Comprovantes.pdf | Um foi Pix e o outro foi boleto
o Confirmado. Devolvo R$ {valor} na conta de origem, ou fica como crédito?
  | Encontrei os dois. Prefere devolução ou crédito?
c Deixa como crédito | Prefiro a devolução | Abate no próximo pedido
o= Crédito registrado no cadastro. | A devolução sai até {dia}. | Feito, está lançado.
n Pagamento em duplicidade da nota {nf}, R$ {valor}.`,
  ),
  script(
    'limite e cadastro',
    ['cliente', 'lead', 'vip'],
    4,
    `
c {oi}! Como faço para comprar no boleto? | {oi}, tem como aumentar meu limite?
  | {oi}, quero abrir cadastro de revenda
o= {opoi} Preciso do CNPJ e de duas referências comerciais.
  | {opoi} O limite hoje é de R$ 3.000,00. Quanto você precisa?
  | {opoi} A análise é rápida: me manda o contrato social?
c= {cnpj} | Uns 5 mil já ajudava | @doc Contrato Social.pdf
o= Recebi, o retorno sai até {dia}. | Aprovado! Limite de R$ 5.000,00 para 28 dias.
  | Encaminhei para o crédito. Te aviso por aqui.
c= Obrigad{cli}, fico no aguardo | Que rápido! | Perfeito
c? @contact {outro}; {fone}; Papelaria Santa Ifigênia
o+ Referência anotada, obrigad{op_o}!
n Análise de crédito solicitada. | Limite ampliado.`,
  ),
  script(
    'elogio',
    ['cliente', 'vip', 'geral'],
    3,
    `
c {oi}! Só passando para agradecer, as sacolas ficaram lindas
  | {oi}, o motorista de vocês foi muito educado, parabéns | @image Olha a vitrine com as caixas de vocês 😍
  | {oi}! As caixas chegaram impecáveis, já encheram a loja
o {opoi} Que alegria ler isso! Vou mostrar para a equipe. | {opoi} Ganhamos o dia! 🧡
  | {opoi} Muito obrigad{op_o} pelo carinho!
c? Podem contar no Instagram de vocês | Merecido! | @sticker
o+ Vamos contar, sim! | @sticker`,
    0.4,
  ),
  script(
    'reclamação do atendimento',
    ['cliente', 'vip', 'geral'],
    2,
    `
c {oi}. Liguei três vezes e ninguém atendeu | Fiquei esperando resposta desde {ontem} aqui
  | {oi}, vocês ainda atendem por aqui? Está difícil
o {opoi} Desculpe a demora. Como posso ajudar agora? | {opoi} Você tem razão, e sinto muito. O que precisa?
  | {opoi} Peço desculpas, estamos com volume alto hoje. Me conta?
c Queria só a previsão do {pedido} | Era sobre uma troca, mas já resolvi por telefone
  | Preciso da nota {nf}, urgente
o= O {pedido} sai {dia}. Vou acompanhar pessoalmente.
  | Entendo. Anotei para a supervisora ver o que aconteceu. | @doc DANFE {nf}.pdf Aqui está
c Ok | Está bem, mas melhorem isso | Da próxima vez avisem
n Reclamou da demora. Avisar a supervisão.`,
    -1.2,
  ),
  script(
    'horário',
    ['geral', 'lead', 'cliente', 'vip'],
    4,
    `
c {oi}! Vocês abrem no sábado? | {oi}, qual o horário de vocês? | {oi}! Vão funcionar na véspera do feriado?
o= {opoi} Sábado atendemos das 9h às 13h, só retirada.
  | {opoi} De segunda a sexta, das 8h30 às 18h30; sábado até as 13h.
  | {opoi} Na véspera vamos só até o meio-dia.
c? E na hora do almoço? | Tem que marcar?
o= Não fechamos para o almoço. | Não precisa marcar.`,
  ),
  script(
    'engano',
    ['geral', 'lead'],
    2,
    `
c Mãe, chegou o gás? | {oi}, é da farmácia? | O senhor conserta geladeira? | @voice
o {opoi} Aqui é a Empório Aurora, de embalagens. Acho que o número está trocado 🙂
  | Oi! Você falou com uma loja de embalagens. Procurava outra pessoa?
c Desculpa, número errado | Perdão! Foi engano | kkkk desculpa`,
  ),
  script(
    'documento da empresa',
    ['cliente', 'geral'],
    2,
    `
c {oi}! Preciso de um laudo de que {o} {prod} pode ter contato com alimento
  | {oi}, a vigilância pediu a ficha técnica d{os} {prods}. Vocês têm?
  | {oi}, tem o certificado de origem do papel?
o {opoi} Temos sim, vou buscar com a qualidade. | {opoi} Tenho em PDF, um instante.
o @doc Laudo de contato com alimentos.pdf | @doc Ficha técnica {nf}.pdf | @doc Certificado de origem.pdf
c Era isso | Salvou meu dia | Perfeito, vou apresentar
n Enviado laudo técnico.`,
  ),
] as const
